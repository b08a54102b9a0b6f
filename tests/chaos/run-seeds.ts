/** Runs seeds, each in a database of its own. */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { ChaosDatabase } from "./database.ts";
import { Seed, type Place } from "./seed.ts";
import { outputsIn, type OutputRow } from "./invariants.ts";
import { LogDisk } from "./log-disk.ts";
import { planOf, type Plan } from "./plan.ts";

export interface SeedResult {
  /** What must hold and doesn't, in sentences. */
  readonly broken: readonly string[];
  /** What was done and what came of it, in lines. */
  readonly story: readonly string[];
  readonly happened: number;
}

/** Runs one seed in a database of its own. */
export async function runSeed(seed: number, place: Place, expected: readonly OutputRow[]): Promise<SeedResult> {
  const plan = planOf(seed);
  return (await runPlan(seed, plan, place, expected)).result;
}

/** The outputs of a run that nothing disturbs. */
export async function undisturbed(partitions: number, place: Place): Promise<readonly OutputRow[]> {
  const plan: Plan = { events: [], resumes: () => 1, partitions, concurrency: 8, patienceSeconds: 5 };
  const { result, outputs } = await runPlan(0, plan, place, []);
  if (outputs.length !== partitions * 5 + 2)
    throw new Error(`an undisturbed run failed:\n${[...result.story, ...result.broken].join("\n")}`);
  return outputs;
}

async function runPlan(
  seed: number,
  plan: Plan,
  place: Place,
  expected: readonly OutputRow[],
): Promise<{ readonly result: SeedResult; readonly outputs: readonly OutputRow[] }> {
  mkdirSync(place.folder, { recursive: true });
  const name = `chaos_${seed}_${plan.events.length === 0 ? "quiet" : "disturbed"}`;
  await using database = await ChaosDatabase.create(place.server, name);
  const folder = path.join(place.folder, `${name}.logs`);
  using logs = new LogDisk(
    folder,
    plan.events.some((e) => e.disturbance.kind === "disk-full"),
  );
  const run = new Seed(seed, plan, place, database, logs);
  let outputs: readonly OutputRow[] = [];
  try {
    await run.toSuccess(expected);
    outputs = await outputsIn(database);
  } catch (error) {
    run.broken.push((error as Error).message);
  }
  await run[Symbol.asyncDispose]();
  logs[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
  return { result: { broken: run.broken, story: run.story, happened: run.happened }, outputs };
}
