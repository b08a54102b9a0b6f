/** Runs seeds, each in a database of its own. */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { ChaosDatabase } from "./database.ts";
import { Seed, type Place, type Subject } from "./seed.ts";
import { outputsIn, type OutputRow } from "./invariants.ts";
import { LogDisk } from "./log-disk.ts";
import type { Plan } from "./plan.ts";

export interface SeedResult {
  /** What must hold and doesn't, in sentences. */
  readonly broken: readonly string[];
  /** What was done and what came of it, in lines. */
  readonly story: readonly string[];
  readonly happened: number;
  /** How many files were left that no table has. */
  readonly orphans: number;
}

/** A seed's number, and what it does. */
export interface Planned {
  readonly seed: number;
  readonly plan: Plan;
}

/** Runs one seed in a database of its own. */
export async function runSeed(
  planned: Planned,
  subject: Subject,
  place: Place,
  expected: readonly OutputRow[],
): Promise<SeedResult> {
  return (await runPlan(planned, subject, place, expected)).result;
}

/** The outputs of a run that nothing disturbs. */
export async function undisturbed(partitions: number, subject: Subject, place: Place): Promise<readonly OutputRow[]> {
  const plan: Plan = { events: [], resumes: () => 1, partitions, concurrency: 8, patienceSeconds: 5 };
  const { result, outputs } = await runPlan({ seed: 0, plan }, subject, place, []);
  if (outputs.length !== subject.outputsOf(partitions))
    throw new Error(`an undisturbed run failed:\n${[...result.story, ...result.broken].join("\n")}`);
  return outputs;
}

async function runPlan(
  { seed, plan }: Planned,
  subject: Subject,
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
  await using lake = await subject.lake?.(name);
  const run = new Seed({ seed, plan, subject, place, database, logs, lake });
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
  const { broken, story, happened } = run;
  return { result: { broken, story, happened, orphans: lake?.orphans ?? 0 }, outputs };
}
