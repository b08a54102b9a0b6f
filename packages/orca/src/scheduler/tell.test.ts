import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testScheduler, type TestScheduler } from "../state/scheduler.fixture.ts";
import { tellAll } from "./tell.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
async function server(answer: Answer): Promise<AsyncDisposable & { readonly url: string }> {
  const http = createServer(answer).listen(0, "127.0.0.1");
  await once(http, "listening");
  const close = async () => {
    http.closeAllConnections();
    http.close();
    await once(http, "close");
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, [Symbol.asyncDispose]: close };
}

/** A run that has failed, by a step of it, and is to be told to a URL. */
async function failed(url: string): Promise<void> {
  await scheduler.register("lake", {});
  await scheduler.test.sql("update orca.pipelines set notify_url = $1", [url]);
  await scheduler.test.sql(`
    insert into orca.runs (token, pipeline, version, status, trigger, keys)
    select gen_random_uuid(), name, version, 'queued', 'schedule', array['2024-01-01'] from orca.pipelines`);
  const [launch] = await scheduler.take();
  const { run } = launch!;
  await scheduler.test.sql(
    `insert into orca.steps (run, step, partition, status, hash, attempts, failures, started_at, ended_at)
     values ($1, 'load', '2024-01-01', 'failed', '0xa', 1, 1, now(), now())`,
    [run],
  );
  await scheduler.test.sql(
    `insert into orca.attempts (run, step, partition, attempt, status, owner, ended_at, error)
     values ($1, 'load', '2024-01-01', 1, 'failed', gen_random_uuid(), clock_timestamp() + interval '1 s', 'no rain')`,
    [run],
  );
  await scheduler.end(run, "failed");
  await scheduler.settle();
}

const scheduling = (told: string[], signal?: AbortSignal) => ({
  database: scheduler.database,
  runner: { start: () => Promise.reject(new Error("nothing is started")) },
  now: () => new Date(),
  staleMs: 1,
  retryMs: 1,
  senseMs: 1,
  uiUrl: undefined,
  env: {},
  chance: () => 0,
  tell: (sentence: string) => void told.push(sentence),
  signal,
});
const notifications = () =>
  scheduler.test.sql(`
    select error, told_at is not null as told, tries, next_try_at > clock_timestamp() as waits from orca.notifications`);

it("a failure is told with the error of its step", async () => {
  const posted: unknown[] = [];
  await using told = await server((request, response) => {
    void text(request).then((body) => {
      posted.push(JSON.parse(body));
      response.end();
    });
  });
  await failed(told.url);
  await tellAll(scheduling([]));
  const what = { kind: "failed", pipeline: "lake", keys: ["2024-01-01"], status: "failed" };
  expect(posted).toEqual([expect.objectContaining({ ...what, error: "load 2024-01-01: no rain" })]);
  expect(await notifications()).toEqual([{ error: null, told: true, tries: 1, waits: null }]);
});

it("a server that refuses, or isn't there, is told again later", async () => {
  const said: string[] = [];
  {
    await using refusing = await server((_request, response) => response.writeHead(500).end());
    await failed(refusing.url);
    await tellAll(scheduling(said));
    expect(said).toEqual([expect.stringMatching(/wasn't told that run \d+ failed: it answered 500$/)]);
    expect(await notifications()).toEqual([{ error: "it answered 500", told: false, tries: 1, waits: true }]);
    await scheduler.test.sql("update orca.notifications set next_try_at = clock_timestamp()");
  }
  await tellAll(scheduling(said)); // by now it is closed
  expect(said[1]).toContain("ECONNREFUSED");
  expect(await notifications()).toMatchObject([{ told: false, tries: 2, waits: true }]);
});

it("a server that doesn't answer holds up no scheduler that is to end", async () => {
  const stop = new AbortController();
  await using hanging = await server(() => stop.abort());
  await failed(hanging.url);
  const said: string[] = [];
  await tellAll(scheduling(said, stop.signal));
  expect(said).toEqual([]);
  expect(await notifications()).toEqual([{ error: null, told: false, tries: 1, waits: true }]);
});
