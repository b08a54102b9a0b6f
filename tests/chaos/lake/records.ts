/** What must hold between the tables' own metadata and what is recorded of them in Postgres. */
import type { Catalog, Snapshot } from "@orcajs/iceberg";
import { Database } from "../../../packages/orca/dist/state/database.js";
import { walkBack } from "../../../packages/orca/dist/state/lineage.js";

const MADE = ["lake.raw", "lake.clean", "lake.totals"];

interface TableOf {
  readonly dataset: string;
  readonly location: string;
  readonly byId: ReadonlyMap<string, Snapshot>;
}

interface AttemptRow {
  readonly run: number;
  readonly step: string;
  readonly partition: string;
  readonly attempt: number;
}
interface ReadRow extends AttemptRow {
  readonly dataset: string;
  readonly snapshot: string | null;
}
interface CommitRow extends AttemptRow {
  readonly number: number;
  readonly dataset: string;
  readonly location: string;
  readonly snapshot: string;
  readonly operation: string;
  readonly pipeline: string;
  readonly code: string;
  readonly status: string;
}

/** A database with the records of runs. */
export interface Recorded {
  readonly url: string;
  sql<Row extends object>(text: string): Promise<readonly Row[]>;
}

/** All of it, for runs that have succeeded. */
export async function brokenRecords(catalog: Catalog, database: Recorded): Promise<readonly string[]> {
  const tables = new Map<string, TableOf>();
  for (const dataset of ["lake.source", ...MADE]) tables.set(dataset, await tableOf(catalog, dataset));
  const reads = await database.sql<ReadRow>(
    "select run::int, step, partition, attempt, dataset, snapshot::text from orca.reads",
  );
  const commits = await database.sql<CommitRow>(`
    select c.run::int, c.step, c.partition, c.attempt, c.number, c.dataset, c.location, c.snapshot::text, c.operation,
      r.pipeline, c.code, a.status
    from orca.commits c join orca.runs r on r.id = c.run join orca.steps s using (run, step, partition)
      join orca.attempts a using (run, step, partition, attempt)`);
  const succeeded = commits.filter((c) => c.status === "succeeded");
  return [
    ...[...tables.values()].flatMap(brokenHistory),
    ...commits.flatMap((commit) => brokenCommit(commit, tables.get(commit.dataset)!)),
    ...brokenNumbers(succeeded),
    ...MADE.flatMap((dataset) => brokenSnapshots(tables.get(dataset)!, succeeded, reads)),
    ...brokenPins(reads, tables),
    ...(await brokenLineage(database, tables)),
  ];
}

/** One that no run has made has no snapshots. */
async function tableOf(catalog: Catalog, dataset: string): Promise<TableOf> {
  const table = (await catalog.listTables("lake")).includes(dataset) ? await catalog.loadTable(dataset) : undefined;
  const snapshots = table?.snapshots() ?? [];
  const byId = new Map(snapshots.map((snapshot) => [String(snapshot["snapshot-id"]), snapshot]));
  return { dataset, location: table?.location ?? "", byId };
}

/** Every snapshot is on the one before: none came to nothing, none was lost. */
function brokenHistory({ dataset, byId }: TableOf): readonly string[] {
  const all = [...byId.values()];
  return all.flatMap((snapshot, i) => {
    const isNext = snapshot["parent-snapshot-id"] === all[i - 1]?.["snapshot-id"];
    return isNext && snapshot["sequence-number"] === i + 1 ? [] : [`snapshot ${i + 1} of ${dataset} isn't on the last`];
  });
}

/** A record says what the snapshot says of itself. */
function brokenCommit(commit: CommitRow, { location, byId }: TableOf): readonly string[] {
  const what = `the record of commit ${commit.number} of ${placeOf(commit)} by attempt ${commit.attempt}`;
  const summary = byId.get(commit.snapshot)?.summary;
  if (summary === undefined) return [`${what} is of a snapshot that ${commit.dataset} doesn't have`];
  const said = {
    "orca.pipeline": commit.pipeline,
    "orca.run": String(commit.run),
    "orca.step": commit.step,
    "orca.partition": commit.partition,
    "orca.commit": String(commit.number),
    "orca.code": commit.code,
    operation: commit.operation,
  };
  const other = Object.entries(said).filter(([name, value]) => summary[name] !== value);
  const isLater = Number(summary["orca.attempt"]) > commit.attempt;
  const isElsewhere = commit.location !== location;
  if (other.length === 0 && !isLater && !isElsewhere) return [];
  return [`${what} says ${JSON.stringify({ ...said, location: commit.location })}, its snapshot ${text(summary)}`];
}

/** The commits of an attempt that succeeded are numbered without gaps, and are different ones. */
function brokenNumbers(succeeded: readonly CommitRow[]): readonly string[] {
  return [...Map.groupBy(succeeded, placeOf)].flatMap(([place, commits]) => {
    const numbers = commits.map((c) => c.number).toSorted((a, b) => a - b);
    const isWhole =
      numbers.every((number, i) => number === i + 1) && new Set(commits.map((c) => c.snapshot)).size === commits.length;
    return isWhole ? [] : [`the commits of ${place} on record are ${text(commits)}`];
  });
}

/** Of each commit there is one snapshot, it is on record by the attempt that succeeded, and what it says it read is on record too. */
function brokenSnapshots(
  { dataset, byId }: TableOf,
  succeeded: readonly CommitRow[],
  reads: readonly ReadRow[],
): readonly string[] {
  const recorded = new Set(succeeded.filter((c) => c.dataset === dataset).map((c) => c.snapshot));
  const seen = new Set<string>();
  return [...byId].flatMap(([id, { summary = {} }]) => {
    if (summary["orca.run.token"] === undefined) return [];
    const found: string[] = [];
    const place = ["token", "step", "partition", "commit"].map(
      (name) => summary[`orca.${name}`] ?? summary[`orca.run.${name}`],
    );
    const what = `snapshot ${id} of ${dataset}, ${place.slice(1).join(" ")}`;
    if (seen.has(place.join(" "))) found.push(`${what}, is there twice`);
    seen.add(place.join(" "));
    if (!recorded.has(id)) found.push(`${what}, isn't on record`);
    const ofAttempt = reads.filter(
      (r) =>
        String(r.run) === summary["orca.run"] &&
        r.step === summary["orca.step"] &&
        r.partition === summary["orca.partition"] &&
        String(r.attempt) === summary["orca.attempt"],
    );
    if (textOfReads(ofAttempt) !== summary["orca.reads"])
      found.push(`${what}, says that it read ${summary["orca.reads"]}, and on record is ${textOfReads(ofAttempt)}`);
    return found;
  });
}

/** All attempts of a step read the same, and what they read is there. */
function brokenPins(reads: readonly ReadRow[], tables: ReadonlyMap<string, TableOf>): readonly string[] {
  return [...Map.groupBy(reads, (read) => `${placeOf(read)} of ${read.dataset}`)].flatMap(([place, all]) => {
    const pins = new Set(all.map((read) => read.snapshot));
    const isThere = all.every((r) => r.snapshot === null || tables.get(r.dataset)!.byId.has(r.snapshot));
    return pins.size === 1 && isThere ? [] : [`the pins of ${place} are ${[...pins].join(", ")}`];
  });
}

/** A walk back from a snapshot says what the snapshot says itself. */
async function brokenLineage(database: Recorded, tables: ReadonlyMap<string, TableOf>): Promise<readonly string[]> {
  await using orca = new Database(database.url, { patienceMs: 10_000, warn: () => {} });
  const orcas = MADE.flatMap((dataset) =>
    [...tables.get(dataset)!.byId.values()]
      .filter(({ summary }) => summary?.["orca.run.token"] !== undefined)
      .map((snapshot) => ({ dataset, snapshot: snapshot["snapshot-id"], distance: 0 })),
  );
  const made = await walkBack(orca, orcas);
  const found = made.length === orcas.length ? [] : [`lineage knows ${made.length} of ${orcas.length} snapshots`];
  for (const { dataset, snapshot, by, from } of made) {
    const summary = tables.get(dataset)!.byId.get(String(snapshot))!.summary!;
    const said = [by.pipeline, by.run, by.step, by.partition, by.code, textOfReads(from)].join(" ");
    const names = ["pipeline", "run", "step", "partition", "code", "reads"];
    const says = names.map((name) => summary[`orca.${name}`]).join(" ");
    if (said !== says) found.push(`lineage says of ${dataset}@${snapshot} ${said}, and it itself ${says}`);
  }
  return found;
}

function textOfReads(
  reads: readonly { readonly dataset: string; readonly snapshot: string | bigint | null | undefined }[],
): string {
  return reads.map(({ dataset, snapshot }) => `${dataset}@${snapshot ?? "none"}`).join(",");
}

function placeOf({ run, step, partition }: AttemptRow): string {
  return `${run} ${step} ${partition}`;
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v));
}
