/** One seed: schedulers over simulated days, disturbed, and then let come to rest. */
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "../../../packages/orca/dist/state/database.js";
import { migrate } from "../../../packages/orca/dist/state/migrate.js";
import { ChaosDatabase } from "../database.ts";
import { Random } from "../random.ts";
import { Clock } from "./clock.ts";
import { Disturber } from "./disturber.ts";
import { brokenIn, OVER } from "./invariants.ts";
import { Processes } from "./processes.ts";
import { comeToRest, WAKE } from "./rest.ts";
import type { Subject } from "./subject.ts";

/** When the clock starts. */
const STARTS_AT = new Date("2024-01-01T00:00:00Z");
const SCHEDULERS = 3;
const BEGIN_MS_MAX = 120_000;
const WATCH_MS = 20;

export interface SeedResult {
  readonly broken: readonly string[];
  readonly story: readonly string[];
}

/** Where a seed's things are. */
export interface SeedPlace {
  /** The folder of a Postgres. */
  readonly server: string;
  /** For what the seeds write. */
  readonly folder: string;
}

/** @param subject is disposed. */
export async function runSeed(seed: number, subject: Subject, { server, folder: all }: SeedPlace): Promise<SeedResult> {
  await using _ = subject;
  const { staleMs } = subject;
  const name = `schedulers_${seed}`;
  const folder = path.join(all, name);
  mkdirSync(folder, { recursive: true });
  await using chaos = await ChaosDatabase.create(server, name);
  await using database = new Database(chaos.url, { patienceMs: 20_000, warn: () => {} });
  await migrate(database);
  const startedAt = performance.now();
  const story: string[] = [];
  const tell = (line: string) =>
    story.push(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  const broken: string[] = [];
  const clock = new Clock(path.join(folder, "clock"), STARTS_AT);
  const env = {
    ORCA_DATABASE_URL: chaos.url,
    NODE_COMPILE_CACHE: path.join(all, ".compiled"),
    CHAOS_STALE_MS: String(staleMs),
    CHAOS_SENSE_MS: String(subject.senseMs),
    CHAOS_CLOCK: clock.file,
    CHAOS_FOLDER: folder,
    ...subject.env,
  };
  const processes = new Processes(`${process.pid}-${path.basename(server)}-${name}`, env, tell);
  const random = new Random(`schedulers ${seed}`);
  const disturber = new Disturber({ random, chaos, database, clock, processes, subject, staleMs });
  const watching = new AbortController();
  const watched = watch(chaos, staleMs, watching.signal);
  try {
    await disturber.register();
    for (let i = 0; i < SCHEDULERS; i++) processes.startScheduler(i);
    clock.moveBy(subject.minutesMax);
    await scheduling(chaos);
    await subject.others();
    for (let step = 0; step < subject.steps; step++) {
      const isBack = random.chance(1, 10);
      clock.moveBy(isBack ? -random.between(10, 60) : random.between(10, subject.minutesMax));
      await chaos.sql(WAKE);
      tell(`${clock.now.toISOString()} ${await disturber.disturb(SCHEDULERS)}`);
      await sleep(random.between(50, 500));
    }
    await disturber.unpause();
    tell("left alone");
    broken.push(...(await comeToRest(chaos, clock, subject)));
    broken.push(...(await brokenIn(chaos, { until: clock.latest, startedAt: STARTS_AT, subject })));
    broken.push(...(await subject.broken(chaos)));
  } catch (error) {
    broken.push((error as Error).stack ?? String(error));
  }
  const [did] = await chaos.sql<Record<string, number>>(DID);
  tell(
    `at rest: ${Object.entries(did!)
      .map(([what, n]) => `${n} ${what}`)
      .join(", ")}`,
  );
  broken.push(...(await processes.end()));
  watching.abort();
  broken.push(...(await watched));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  return { broken, story };
}

const DID = `
  select (select count(*) from orca.fires) as fires, count(*) as runs, sum(starts) as starts, sum(retries) as retries,
    count(held_back) as "held back" from orca.runs`;

/** Waits until schedulers do what is due. */
async function scheduling(chaos: ChaosDatabase): Promise<void> {
  for (const until = performance.now() + BEGIN_MS_MAX; performance.now() < until; await sleep(WATCH_MS))
    if ((await chaos.sql("select from orca.runs limit 1")).length > 0) return;
  throw new Error(`no scheduler has made a run after ${BEGIN_MS_MAX} ms`);
}

/** Looks all the time that no pipeline has more live runs than it may. @returns when it had. */
async function watch(chaos: ChaosDatabase, staleMs: number, signal: AbortSignal): Promise<readonly string[]> {
  const broken: string[] = [];
  while (!signal.aborted) {
    const rows = await chaos.sql(OVER, [staleMs / 1_000]);
    if (rows.length > 0) broken.push(`more runs were going on than may: ${JSON.stringify(rows)}`);
    await sleep(WATCH_MS);
  }
  return broken;
}
