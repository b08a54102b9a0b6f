import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askToCancel } from "./cancel.ts";
import { Heartbeat } from "./heartbeat.ts";
import { beginRun, endRun, releaseRun, type OwnedRun } from "./runs.ts";
import { testState, version, type TestState } from "./state.fixture.ts";

let state: TestState;
beforeAll(async () => void (state = await testState()));
afterAll(async () => await state[Symbol.asyncDispose]());

const rowOf = async (id: number) =>
  (
    await state.test.sql(
      "select status, owner, starts, error, started_at is null as new, ended_at is null as open from orca.runs where id = $1",
      [id],
    )
  )[0];
/** Makes a run's process look gone. */
const makeStale = (id: number) =>
  state.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s' where run = $1", [id]);

describe("a run", () => {
  it("is begun once, also when it is asked for again since the reply was lost", async () => {
    const asked = { pipeline: "lake", version, keys: ["a"], owner: randomUUID() };
    const [first, again] = [await beginRun(state.database, asked), await beginRun(state.database, asked)];
    expect(again).toEqual(first);
    expect(await rowOf(first.id)).toMatchObject({ status: "running", owner: asked.owner, starts: 1, new: false });
  });

  it("records its code once for all runs of it, with where that is", async () => {
    const [one, two] = [await state.begin(), await state.begin()];
    const versions = await state.test.sql(
      `select distinct v.registry_hash, v.step_hashes, v.repository, v.commit, v.dirty
       from orca.runs r join orca.versions v on v.id = r.version where r.id in ($1, $2)`,
      [one.id, two.id],
    );
    expect(versions).toEqual([
      {
        registry_hash: "0x1",
        step_hashes: version.stepHashes,
        repository: version.repository,
        commit: version.commit,
        dirty: false,
      },
    ]);
  });

  it("that ended is claimed at once, and begun again with a new owner", async () => {
    const run = await state.begin();
    expect(await endRun(state.database, run, "failed", "why")).toBe(true);
    expect(await rowOf(run.id)).toMatchObject({ status: "failed", owner: null, error: "why", open: false });
    const claimed = await state.claim(run);
    expect(claimed).toMatchObject({ id: run.id, keys: ["a", "b"] });
    expect(await rowOf(run.id)).toMatchObject({
      status: "running",
      owner: claimed.owner,
      starts: 2,
      error: null,
      open: true,
    });
  });

  it("that was left is claimed at once", async () => {
    const run = await state.begin();
    expect(await releaseRun(state.database, { ...run, owner: randomUUID() })).toBe(false);
    expect(await releaseRun(state.database, run)).toBe(true);
    expect(await releaseRun(state.database, run)).toBe(true); // sent again
    expect(await rowOf(run.id)).toMatchObject({ status: "running", owner: null });
    await state.claim(run);
  });

  it("is claimed twice by the same owner, when the reply was lost, as once", async () => {
    const run = await state.begin();
    await releaseRun(state.database, run);
    const owner = randomUUID();
    expect(await state.claim(run, { owner })).toEqual(await state.claim(run, { owner }));
    expect(await rowOf(run.id)).toMatchObject({ starts: 2 });
  });

  it("isn't claimed while its process is alive", async () => {
    const run = await state.begin();
    await expect(state.claim(run)).rejects.toThrow(
      /^run \d+ is going on in another process, which was alive \d\.\d s ago: cancel it, or wait until it has been silent for 30 s$/,
    );
    await makeStale(run.id);
    await state.claim(run);
  });

  it("goes to one of those who race for it", async () => {
    for (let round = 0; round < 10; round++) {
      const run = await state.begin();
      await makeStale(run.id);
      const claims = await Promise.allSettled([state.claim(run), state.claim(run), state.claim(run)]);
      const won = claims.filter((c) => c.status === "fulfilled").map((c) => c.value.owner);
      expect(won).toHaveLength(1);
      expect(await rowOf(run.id)).toMatchObject({ owner: won[0], starts: 2 });
      for (const c of claims.filter((r) => r.status === "rejected"))
        expect(c.reason).toMatchObject({ code: "run-owned" });
    }
  });

  it("is refused to other code, unless that is allowed, and then recorded as that", async () => {
    const run = await state.begin();
    await releaseRun(state.database, run);
    const newer = { ...version, registryHash: "0x2" };
    await expect(state.claim(run, { version: newer })).rejects.toThrow(
      `run ${run.id} was begun by other code (0x1; this is 0x2): resume it with that build, or with --allow-new-code`,
    );
    await state.claim(run, { version: newer, allowsNewCode: true });
    expect(
      await state.test.sql(
        "select registry_hash from orca.runs r join orca.versions v on v.id = r.version where r.id = $1",
        [run.id],
      ),
    ).toEqual([{ registry_hash: "0x2" }]);
  });

  it("is refused by what is wrong with it", async () => {
    const run = await state.begin();
    await expect(state.claim({ ...run, id: 999_999 })).rejects.toThrow("there is no run 999999");
    await expect(state.claim(run, { pipeline: "pond" })).rejects.toThrow(`run ${run.id} is one of lake, not of pond`);
    await endRun(state.database, run, "succeeded", null);
    await expect(state.claim(run)).rejects.toThrow(`run ${run.id} has succeeded: there is nothing to resume`);
  });

  it("is ended only by its owner, and says so again when it is asked again", async () => {
    const run = await state.begin();
    expect(await endRun(state.database, { ...run, owner: randomUUID() }, "succeeded", null)).toBe(false);
    expect(await endRun(state.database, run, "succeeded", null)).toBe(true);
    expect(await endRun(state.database, run, "succeeded", null)).toBe(true);
    expect(await endRun(state.database, run, "failed", null)).toBe(false);
  });
});

it.each([
  ["ended", (run: OwnedRun) => endRun(state.database, run, "succeeded", null)],
  ["left", (run: OwnedRun) => releaseRun(state.database, run)],
])(
  "is %s once by two statements that wait for each other, since the connection of the first was lost",
  async (_is, act) => {
    const run = await state.begin();
    const answers = await state.whileOpen(
      (client) => client.query("select from orca.runs where id = $1 for update", [run.id]),
      2,
      () => Promise.all([act(run), act(run)]),
    );
    expect(answers).toEqual([true, true]);
  },
);

describe("a cancellation", () => {
  it("is left to the process that has the run", async () => {
    const run = await state.begin();
    expect(await askToCancel(state.database, run.id, 30_000, "me")).toBe("running");
    expect(await rowOf(run.id)).toMatchObject({ status: "running", owner: run.owner });
  });

  it("ends a run whose process is gone", async () => {
    const [left, stale] = [await state.begin(), await state.begin()];
    await releaseRun(state.database, left);
    await makeStale(stale.id);
    for (const { id } of [left, stale]) {
      expect(await askToCancel(state.database, id, 30_000, "me")).toBe("cancelled");
      expect(await rowOf(id)).toMatchObject({ status: "cancelled", owner: null, open: false });
    }
  });

  it("ends the attempts of a process that is gone, and their steps", async () => {
    const run = await state.begin();
    await (await state.journal(run)).attemptStarts({ step: "load", partition: "a", attempt: 1 }, "1");
    await makeStale(run.id);
    await askToCancel(state.database, run.id, 30_000, "me");
    expect(
      await state.test.sql(
        "select s.status, a.status as attempt, a.error from orca.steps s join orca.attempts a using (run) where run = $1",
        [run.id],
      ),
    ).toEqual([{ status: "cancelled", attempt: "lost", error: expect.stringContaining("heartbeat had stopped") }]);
  });

  it("that was asked for before the process of its launch has claimed it is heard by that process", async () => {
    const run = await state.begin();
    const launch = randomUUID();
    await state.test.sql("update orca.runs set owner = $2, launch = $2 where id = $1", [run.id, launch]);
    expect(await askToCancel(state.database, run.id, 30_000, "me")).toBe("running");
    const claimed = await state.claim(run, { launch });
    const journal = await state.journal(claimed);
    await expect(journal.attemptStarts({ step: "load", partition: "a", attempt: 1 }, "1")).rejects.toThrow("cancel");
    const heard = Promise.withResolvers<string>();
    await using _ = new Heartbeat(state.test.url, claimed, 30_000, {
      cancelAsked: () => heard.resolve("cancelled"),
      lost: () => heard.resolve("lost"),
    });
    expect(await heard.promise).toBe("cancelled");
  });

  it("of a run that has ended changes nothing", async () => {
    const run = await state.begin();
    await endRun(state.database, run, "succeeded", null);
    expect(await askToCancel(state.database, run.id, 30_000, "me")).toBe("succeeded");
    await expect(askToCancel(state.database, 999_999, 30_000, "me")).rejects.toThrow("there is no run 999999");
  });
});

describe("a state that can't be", () => {
  it.each([
    ["a run that has ended and is someone's", "update orca.runs set status = 'failed', ended_at = now() where id = $1"],
    ["a run that has ended at no time", "update orca.runs set status = 'failed', owner = null where id = $1"],
    ["a run that goes on and has ended", "update orca.runs set ended_at = now() where id = $1"],
    ["a run of no partitions", "update orca.runs set keys = '{}' where id = $1"],
    ["a success without an output", STEP("'succeeded', 1, now(), now(), null")],
    ["an output without a success", STEP("'failed', 1, now(), now(), '1'")],
    ["a step that runs and was never tried", STEP("'running', 0, null, null, null")],
    ["a step that has ended at no time", STEP("'failed', 1, now(), null, null")],
    [
      "a step of no run",
      "insert into orca.steps (run, step, partition, status, hash) select -$1, 's', 'a', 'waiting', '0x'",
    ],
    [
      "two attempts of a step at once",
      `${ATTEMPT("1, 'running', null, null")}; ${ATTEMPT("2, 'running', null, null")}`,
    ],
    ["two successes of a step", `${ATTEMPT("1, 'succeeded', now(), null")}; ${ATTEMPT("2, 'succeeded', now(), null")}`],
    ["a failure without an error", ATTEMPT("1, 'failed', now(), null")],
    ["an end without a time", ATTEMPT("1, 'crashed', null, 'x'")],
    ["an end before the start", ATTEMPT("1, 'crashed', '2000-01-01', 'x'")],
  ])("is refused: %s", async (_what, statements) => {
    const run = await state.begin();
    await expect(
      (async () => {
        for (const statement of statements.split("; "))
          await state.test.sql(statement.replaceAll("$1", String(run.id)));
      })(),
    ).rejects.toThrow(/violates (check|foreign key|unique)|duplicate key value violates unique/);
  });
});

function STEP(values: string): string {
  return `insert into orca.steps (run, step, partition, hash, status, attempts, started_at, ended_at, output) values ($1, 's', 'a', '0x', ${values})`;
}

function ATTEMPT(values: string): string {
  const step =
    "insert into orca.steps (run, step, partition, hash, status) values ($1, 's', 'a', '0x', 'waiting') on conflict do nothing";
  return `${step}; insert into orca.attempts (run, step, partition, owner, attempt, status, ended_at, error) values ($1, 's', 'a', gen_random_uuid(), ${values})`;
}
