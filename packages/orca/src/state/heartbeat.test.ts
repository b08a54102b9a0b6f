import { randomUUID } from "node:crypto";
import { once, EventEmitter } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCrash } from "./crash.ts";
import { Heartbeat } from "./heartbeat.ts";
import { askToCancel } from "./cancel.ts";
import { releaseRun, type OwnedRun } from "./runs.ts";
import { testState, type TestState } from "./state.fixture.ts";

let state: TestState;
beforeAll(async () => void (state = await testState()));
afterAll(async () => await state[Symbol.asyncDispose]());

/** Beats, and tells of what it hears as events; once it has beaten for the first time. */
async function beat(run: OwnedRun, staleMs: number) {
  const before = await timeOf(run);
  const heard = new EventEmitter();
  const told: string[] = [];
  const tell = (what: string) => {
    told.push(what);
    heard.emit(what);
  };
  const heartbeat = new Heartbeat(state.test.url, run, staleMs, {
    cancelAsked: () => tell("cancel"),
    lost: () => tell("lost"),
  });
  while ((await timeOf(run)) === before);
  return { heartbeat, heard, told };
}

const timeOf = async ({ id }: OwnedRun) =>
  (await state.test.sql<{ at: Date }>("select at from orca.heartbeats where run = $1", [id]))[0]!.at.getTime();
const WAITING_BEATS =
  "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like '%orca.heartbeats h set%'";
/** Waits for beats after those that there are: polls what the database has. */
const untilBeaten = async (run: OwnedRun) => {
  for (const before = await timeOf(run); (await timeOf(run)) === before;);
};

it("beats six times in the time after which a run is stale, and again after its connection was ended", async () => {
  const run = await state.begin();
  const { heartbeat, told } = await beat(run, 600);
  await untilBeaten(run);
  await state.test.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%orca.heartbeats h set%' and pid <> pg_backend_pid()",
  );
  await untilBeaten(run);
  await untilBeaten(run);
  await heartbeat[Symbol.asyncDispose]();
  expect(told).toEqual([]);
});

it("hears of a cancellation at once, without waiting for the next beat, and once", async () => {
  const run = await state.begin();
  const { heartbeat, heard, told } = await beat(run, 3_600_000);
  const asked = once(heard, "cancel");
  await askToCancel(state.database, run.id, 30_000, "me");
  await asked;
  await askToCancel(state.database, run.id, 30_000, "me");
  await heartbeat[Symbol.asyncDispose]();
  expect(told).toEqual(["cancel"]);
});

it("hears of a cancellation while it beats", async () => {
  const run = await state.begin();
  const { heartbeat, heard, told } = await beat(run, 3_600_000);
  const asked = once(heard, "cancel");
  await state.whileOpen(
    async (client) => {
      await client.query("select from orca.heartbeats where run = $1 for update", [run.id]);
      await state.test.sql("select pg_notify('orca', $1)", [`run:${run.id}`]);
      while ((await state.test.sql(WAITING_BEATS)).length === 0);
      await askToCancel(state.database, run.id, 30_000, "me");
    },
    1,
    () => Promise.resolve(),
  );
  await asked;
  await heartbeat[Symbol.asyncDispose]();
  expect(told).toEqual(["cancel"]);
});

it("hears at once that another process has the run", async () => {
  const run = await state.begin();
  const { heartbeat, heard, told } = await beat(run, 3_600_000);
  const lost = once(heard, "lost");
  await releaseRun(state.database, run);
  await state.claim(run);
  await lost;
  await heartbeat[Symbol.asyncDispose]();
  expect(told).toEqual(["lost"]);
});

it("goes on when the run passes to the next owner of its process", async () => {
  const run = await state.begin();
  const { heartbeat, told } = await beat(run, 600);
  const next = randomUUID();
  heartbeat.addOwner(next);
  await recordCrash(state.database, run, next, { status: "crashed", error: "no", culprit: undefined, retries: {} });
  await untilBeaten(run);
  await untilBeaten(run);
  await heartbeat[Symbol.asyncDispose]();
  expect(told).toEqual([]);
});
