import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DescribedPipeline } from "../core/described.ts";
import { queueRerun, type RerunAsked } from "./rerun.ts";
import { readRunBefore } from "./run-before.ts";
import { endRun } from "./runs.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";
import { version } from "./state.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

type Step = DescribedPipeline["steps"][number];

const of = { reads: [], writes: [] };
const load: Step = { ...of, name: "load", kind: "mapped", after: [], hash: version.stepHashes["load"]! };
const sum: Step = { ...of, name: "sum", kind: "mapped", after: ["load"], hash: version.stepHashes["sum"]! };
const report: Step = { ...of, name: "report", kind: "gather", after: ["sum"], hash: version.stepHashes["report"]! };
const DAYS = ["2024-01-01", "2024-01-02", "2024-01-03"];

/** A run that has done all of those steps, save the last partition of sum where it failed. */
async function ran(steps = [load, sum], failed = false): Promise<number> {
  await scheduler.register("lake", { steps, keysPerRun: 3 });
  await scheduler.backfill("lake", DAYS);
  const { run, token } = (await scheduler.take())[0]!;
  const owned = await scheduler.claim({ id: run, owner: "", keys: [] }, { launch: token });
  const journal = await scheduler.journal(owned);
  for (const { name, kind } of steps)
    for (const partition of kind === "gather" ? [undefined] : DAYS) {
      const id = { step: name, partition, attempt: 1 };
      await journal.attemptStarts(id, "null");
      if (failed && name === "sum" && partition === DAYS[2])
        await journal.attemptEnded(id, { status: "failed", error: new Error("no") }, "failed");
      else await journal.attemptEnded(id, { status: "succeeded", output: `"${name} ${partition}"` }, "succeeded");
    }
  await endRun(scheduler.database, owned, failed ? "failed" : "succeeded", null);
  return run;
}
const rerun = (run: number, given: Partial<RerunAsked> = {}) =>
  queueRerun(scheduler.database, { run, allowsNewCode: false, actor: "alice", ...given });
/** What a run has to do, as its process finds it: each step of a partition that hasn't succeeded. */
async function toDo(run: number, steps: readonly Step[]): Promise<readonly string[]> {
  const before = await readRunBefore(scheduler.database, run);
  const [{ keys }] = (await scheduler.test.sql("select keys from orca.runs where id = $1", [run])) as [
    { keys: string[] },
  ];
  return steps.flatMap(({ name, kind }) =>
    (kind === "gather" ? [""] : keys)
      .filter((key) => before.of(name, key)?.end !== "succeeded")
      .map((key) => `${name} ${key}`.trim()),
  );
}

describe("a rerun", () => {
  it("is a run of its own, over all that was run, which a scheduler starts", async () => {
    const from = await ran();
    const id = await rerun(from);
    expect(id).not.toBe(from);
    expect(await scheduler.runs()).toEqual([
      `succeeded backfill lake ${DAYS.join()}`,
      `queued manual lake ${DAYS.join()}`,
    ]);
    expect(await toDo(id, [load, sum])).toHaveLength(6);
    expect(await scheduler.take()).toMatchObject([{ run: id }]);
    const actions = await scheduler.test.sql(
      "select actor, action, run::int, detail from orca.actions where action in ('rerun', 'start') order by id",
    );
    const how = { steps: null, partitions: null, allowsNewCode: false };
    expect(actions).toEqual([
      { actor: "alice", action: "rerun", run: from, detail: { as: id, ...how } },
      { actor: "alice", action: "start", run: id, detail: { rerunOf: from, ...how } },
    ]);
  });

  it("of some partitions is over these alone, and of a step with all that follow it; what isn't run again has its outputs", async () => {
    const id = await rerun(await ran(), { steps: ["sum"], partitions: [DAYS[1]!] });
    expect(await toDo(id, [load, sum])).toEqual([`sum ${DAYS[1]}`]);
    const [launch] = await scheduler.take();
    const owned = await scheduler.claim({ id, owner: "", keys: [] }, { launch: launch!.token });
    expect(owned.keys).toEqual([DAYS[1]]);
    const journal = await scheduler.journal(owned);
    expect(await journal.output("load", DAYS[1])).toBe(`"load ${DAYS[1]}"`);
    const all = await rerun(
      (await scheduler.test.sql("select min(id)::int as id from orca.runs"))[0]!["id"] as number,
      {
        steps: ["load"],
        partitions: [DAYS[0]!],
      },
    );
    expect(await toDo(all, [load, sum])).toEqual([`load ${DAYS[0]}`, `sum ${DAYS[0]}`]);
  });

  it("of a run with gather steps gathers all of its partitions again", async () => {
    const steps = [load, sum, report];
    const from = await ran(steps);
    expect(await toDo(await rerun(from, { steps: ["sum"], partitions: [DAYS[1]!] }), steps)).toEqual([
      `sum ${DAYS[1]}`,
      "report",
    ]);
    expect(await toDo(await rerun(from, { steps: ["report"] }), steps)).toEqual(["report"]);
  });

  it("runs what hadn't succeeded too", async () => {
    const id = await rerun(await ran([load, sum], true), { steps: ["load"], partitions: [DAYS[0]!, DAYS[2]!] });
    expect(await toDo(id, [load, sum])).toEqual([
      `load ${DAYS[0]}`,
      `load ${DAYS[2]}`,
      `sum ${DAYS[0]}`,
      `sum ${DAYS[2]}`,
    ]);
  });

  it("takes no outputs of other code over, unless that is allowed", async () => {
    const from = await ran();
    await scheduler.register("lake", { steps: [{ ...load, hash: "0xother" }, sum], hash: "0x2" });
    await expect(rerun(from, { steps: ["sum"] })).rejects.toMatchObject({
      code: "other-code",
      message: `step 'load' of run ${from} was of other code (0xa; now 0xother): run it again too, or allow new code`,
    });
    expect(await toDo(await rerun(from, { steps: ["load"] }), [load, sum])).toHaveLength(6);
    expect(await toDo(await rerun(from, { steps: ["sum"], allowsNewCode: true }), [load, sum])).toHaveLength(3);
  });

  it("is the same run when it is asked for again with its token", async () => {
    const from = await ran();
    const token = crypto.randomUUID();
    expect(await rerun(from, { token })).toBe(await rerun(from, { token }));
  });

  it("is refused of a run that hasn't ended, was pruned, or isn't there, and of steps and partitions that it doesn't have", async () => {
    const from = await ran();
    const id = await rerun(from);
    await expect(rerun(id)).rejects.toMatchObject({
      code: "run-owned",
      message: `run ${id} hasn't ended: cancel it, or wait for its end`,
    });
    await expect(rerun(999)).rejects.toMatchObject({ code: "unknown-run" });
    await expect(rerun(from, { steps: ["sun"] })).rejects.toThrow("has no step 'sun': did you mean 'sum'?");
    await expect(rerun(from, { steps: [] })).rejects.toThrow(`no steps of run ${from} are given`);
    await expect(rerun(from, { partitions: ["2025-01-01"] })).rejects.toThrow(
      `run ${from} has no partition '2025-01-01'`,
    );
    await expect(rerun(from, { partitions: [] })).rejects.toMatchObject({ code: "invalid-key" });
    await scheduler.test.sql("update orca.runs set pruned_at = now() where id = $1", [from]);
    await expect(rerun(from)).rejects.toThrow(`run ${from} was pruned`);
  });
});
