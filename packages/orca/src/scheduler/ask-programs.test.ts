import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { Listener } from "../state/listen.ts";
import { recordAsked } from "../state/sensing.ts";
import { pipelineSummaries } from "../state/pages/pipelines.ts";
import { readPipelineHead } from "../state/pages/pipeline.ts";
import { testScheduler, type TestScheduler } from "../state/scheduler.fixture.ts";
import { askPrograms } from "./ask-programs.ts";

const folder = mkdtempSync(join(tmpdir(), "orca-asked-"));
const program = join(folder, "lake");
let scheduler: TestScheduler;
const told: string[] = [];

/** A sensor over names, whose program says this. */
function says(script: string): void {
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
}

/** Asks at once, although it isn't time yet. */
async function ask(): Promise<void> {
  await scheduler.test.sql("update orca.pipelines set sensed_at = null, keys_asked_at = null, keys_changed_at = now()");
  await askPrograms({
    database: scheduler.database,
    runner: { start: () => Promise.reject(new Error("nothing is to be started")) },
    now: () => new Date("2024-06-01T00:00:00Z"),
    staleMs: 30_000,
    retryMs: 60_000,
    senseMs: 60_000,
    uiUrl: undefined,
    env: process.env,
    chance: () => 0,
    tell: (sentence) => told.push(sentence),
  });
}

async function errors(): Promise<readonly (string | null)[]> {
  const { senseError, keysError } = await readPipelineHead(scheduler.database, "lake");
  return [senseError, keysError];
}

beforeEach(async () => {
  told.length = 0;
  scheduler = await testScheduler();
  await scheduler.register(
    "lake",
    { sensor: true, partitions: { kind: "keyed", dataset: "shop.items", column: "id" } },
    "2024-06-01T00:00:00Z",
    { program },
  );
});
afterEach(() => scheduler[Symbol.asyncDispose]());
afterAll(() => rmSync(folder, { recursive: true }));

it("why a program can't say its keys is on record until it can, and told", async () => {
  says(`case $1 in keys) echo "error: 'a b' can't be a key" >&2; exit 1;; *) echo '[]';; esac`);
  await ask();
  const sentence = `${program} can't say its keys: 'a b' can't be a key`;
  expect(told).toEqual([`lake: ${sentence}`]);
  expect(await errors()).toEqual([null, sentence]);
  const [summary] = await pipelineSummaries(scheduler.database, { after: "", limit: 1 });
  expect(summary).toMatchObject({ name: "lake", cantBeAsked: true });
  says(`case $1 in keys) echo '{"keys":["ab"]}';; *) echo '[]';; esac`);
  await ask();
  expect(await errors()).toEqual([null, null]);
  expect(await scheduler.runs()).toEqual(["queued sensor lake ab"]);
});

it("why it can't say what its datasets hold is another thing, cut where it is long", async () => {
  says(`case $1 in keys) echo '{"keys":[]}';; *) printf 'error: 00\\0%09000d' 7 >&2; exit 1;; esac`);
  await ask();
  const [sense, keys] = await errors();
  expect(sense!.startsWith(`${program} can't say what its datasets hold: 00�0000`)).toBe(true);
  expect(sense).toHaveLength(1_000);
  expect(keys).toBeNull();
});

it("what is registered anew hasn't been asked yet", async () => {
  says("exit 1");
  await ask();
  expect(await errors()).not.toContain(null);
  await scheduler.register("lake", { sensor: true, hash: "0x2" });
  expect(await errors()).toEqual([null, null]);
  await recordAsked(scheduler.database, { pipeline: "lake", program }, "keys", "of the program before");
  expect(await errors()).toEqual([null, null]);
});

it("those who look at the pipeline are told once of an answer that it couldn't give, not each time that it is asked", async () => {
  const heard: string[] = [];
  await using _ = new Listener(scheduler.test.url, (what) => heard.push(what));
  await expect.poll(() => scheduler.test.sql("select pg_notify('orca', 'begin')").then(() => heard)).toContain("begin");
  says("exit 1");
  await ask();
  await ask();
  await scheduler.test.sql("select pg_notify('orca', 'end')");
  await expect.poll(() => heard.at(-1)).toBe("end");
  expect(heard.filter((topic) => topic === "pipeline:lake")).toHaveLength(2); // of its datasets and of its keys
});
