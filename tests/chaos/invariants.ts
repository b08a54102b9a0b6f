/** What must hold of a run whatever happened to it, each as a statement that gives what breaks it. */
import { existsSync } from "node:fs";
import type { ChaosDatabase } from "./database.ts";

interface AttemptAt {
  readonly step: string;
  /** `""` of a gather step. */
  readonly partition: string;
  readonly attempt: number;
}

/** A line of the file that the steps' functions write to. */
interface Told extends AttemptAt {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly what: "start" | "end";
}

/** The output of each step of each partition. */
export interface OutputRow {
  readonly step: string;
  readonly partition: string;
  readonly output: string;
}

export function toldIn(text: string): readonly Told[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [at, what, step, partition, attempt] = line.split(" ") as [string, Told["what"], string, string, string];
      return { at: Number(at), what, step, partition: partition === "-" ? "" : partition, attempt: Number(attempt) };
    });
}

/** Broken by a run that has ended, whether or not it will be resumed. */
const ENDED = {
  "an attempt of a run that has ended goes on": `
    select a.* from orca.attempts a join orca.runs r on r.id = a.run
    where a.status = 'running' and r.status in ('succeeded', 'failed', 'cancelled')`,
  "a step of a run that has ended goes on": `
    select s.* from orca.steps s join orca.runs r on r.id = s.run
    where s.status = 'running' and r.status in ('succeeded', 'failed', 'cancelled')`,
};

/** Broken by a run that has succeeded. */
const SUCCEEDED = {
  "a run didn't succeed, or is owned, or isn't the only one": `
    select id, status, owner from orca.runs
    where status <> 'succeeded' or owner is not null or error is not null or ended_at is null
      or id <> (select min(id) from orca.runs)`,
  "a run has no heartbeat":
    "select id from orca.runs r where not exists (select from orca.heartbeats where run = r.id)",
  "a step didn't succeed": "select * from orca.steps where status <> 'succeeded'",
  "a step didn't succeed in exactly one attempt": `
    select run, step, partition from orca.attempts group by 1, 2, 3
    having count(*) filter (where status = 'succeeded') <> 1`,
  "an attempt has no end": "select * from orca.attempts where ended_at is null or status = 'running'",
  "an attempt that didn't succeed has no error": `
    select * from orca.attempts where status <> 'succeeded' and coalesce(error, '') = ''`,
  "an attempt came after the one that succeeded": `
    select a.* from orca.attempts a join orca.attempts s using (run, step, partition)
    where s.status = 'succeeded' and a.attempt > s.attempt`,
  "attempts aren't numbered from 1 without gaps, or aren't as many as their step says": `
    select s.run, s.step, s.partition, s.attempts, array_agg(a.attempt order by a.attempt) as found
    from orca.steps s left join orca.attempts a using (run, step, partition) group by 1, 2, 3
    having array_agg(a.attempt order by a.attempt) <> array(select generate_series(1, s.attempts))`,
  "attempts of a step overlap": `
    select a.step, a.partition, a.attempt, b.attempt as other from orca.attempts a join orca.attempts b using (run, step, partition)
    where a.attempt < b.attempt and a.ended_at > b.started_at`,
};

export async function brokenAtEnds(database: ChaosDatabase): Promise<readonly string[]> {
  return await broken(database, ENDED);
}

export interface Success {
  readonly expected: readonly OutputRow[];
  /** Steps, each with one that it follows. */
  readonly follows: readonly (readonly [step: string, followed: string])[];
  readonly told: readonly Told[];
  /** False if their disk was full. */
  readonly hasLogs: boolean;
}

export async function brokenAtSuccess(
  database: ChaosDatabase,
  { expected, follows, told, hasLogs }: Success,
): Promise<readonly string[]> {
  return [
    ...(await broken(database, ENDED)),
    ...(await broken(database, SUCCEEDED)),
    ...(await broken(database, { "a step began before one that it follows had succeeded": begunBefore(follows) })),
    ...(await otherOutputs(database, expected)),
    ...(await brokenByFunctions(database, told)),
    ...(hasLogs ? await withoutLogs(database, told) : []),
  ];
}

export async function outputsIn(database: ChaosDatabase): Promise<readonly OutputRow[]> {
  return await database.sql<OutputRow>("select step, partition, output from orca.steps order by step, partition");
}

function begunBefore(follows: Success["follows"]): string {
  const after = follows.map(([step, followed]) => `('${step}', '${followed}')`).join(", ");
  return `
    select s.step, s.partition, f.step as follows from orca.steps s
      join (values ${after}) as after (step, followed) using (step)
      join orca.steps f on f.run = s.run and f.step = after.followed
        and (f.partition = s.partition or f.partition = '' or s.partition = '')
      join orca.attempts a on a.run = s.run and a.step = s.step and a.partition = s.partition
    where a.started_at < f.ended_at`;
}

async function broken(database: ChaosDatabase, rules: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [rule, text] of Object.entries(rules)) {
    const rows = await database.sql(text);
    if (rows.length > 0) found.push(`${rule}: ${some(rows.map((row) => JSON.stringify(row)))}`);
  }
  return found;
}

function some(rows: readonly string[]): string {
  return rows.slice(0, 3).join(", ");
}

async function otherOutputs(database: ChaosDatabase, expected: readonly OutputRow[]): Promise<readonly string[]> {
  const [found, wanted] = [await outputsIn(database), expected].map((rows) => rows.map((row) => JSON.stringify(row)));
  const [lacking, other] = [
    wanted!.filter((row) => !found!.includes(row)),
    found!.filter((row) => !wanted!.includes(row)),
  ];
  if (lacking.length + other.length === 0) return [];
  return [`outputs differ from those of an undisturbed run: lacks ${some(lacking)}, has ${some(other)}`];
}

/** A function runs once an attempt, after its start is recorded, and never again when its success is recorded. */
async function brokenByFunctions(database: ChaosDatabase, told: readonly Told[]): Promise<readonly string[]> {
  const attempts = await database.sql<{ place: string; status: string; started: number; ended: number }>(`
    select concat(step, ' ', partition, ' ', attempt) as place, status,
      extract(epoch from started_at)::float8 * 1000 as started, extract(epoch from ended_at)::float8 * 1000 as ended
    from orca.attempts`);
  const byPlace = new Map(attempts.map((a) => [a.place, a]));
  const started = new Set<string>();
  const found: string[] = [];
  for (const line of told.filter((t) => t.what === "start")) {
    const place = placeOf(line);
    const recorded = byPlace.get(place);
    if (started.has(place)) found.push(`the function of ${place} ran twice`);
    started.add(place);
    // the clock of a line has whole milliseconds
    if (recorded === undefined || line.at + 1 < recorded.started)
      found.push(`the function of ${place} ran before its start was recorded`);
    else if (recorded.status === "succeeded" && line.at > recorded.ended)
      found.push(`the function of ${place} ran after its success was recorded`);
  }
  const ended = new Set(told.filter((t) => t.what === "end").map(placeOf));
  for (const { place, status } of attempts)
    if (status === "succeeded" && !ended.has(place)) found.push(`${place} succeeded though its function never ended`);
  return found;
}

async function withoutLogs(database: ChaosDatabase, told: readonly Told[]): Promise<readonly string[]> {
  const rows = await database.sql<AttemptAt & { log: string | null }>(
    "select step, partition, attempt, log from orca.attempts",
  );
  const ran = new Set(told.map(placeOf));
  return rows
    .filter((row) => ran.has(placeOf(row)) && !(row.log !== null && existsSync(row.log)))
    .map((row) => `${placeOf(row)} has no log at ${row.log}`);
}

/** An attempt as one text. */
function placeOf({ step, partition, attempt }: AttemptAt): string {
  return `${step} ${partition} ${attempt}`;
}
