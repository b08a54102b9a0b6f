/** What the kept tables must have when all has come to rest. */
import type { Catalog } from "@orcajs/iceberg";
import type { ChaosDatabase } from "../../database.ts";

/** What a run appends for a day, in two commits. */
const APPENDED = "1 2 3";
/** What is left of a run that was cancelled: nothing, or what it had committed by then. */
const BEGUN = new Set(["", "1 2", APPENDED]);

interface Row {
  readonly day: string;
  readonly run: bigint;
  readonly n: bigint;
}

interface Sum {
  readonly rows: bigint;
  readonly n: bigint;
}

/** @returns sentences. */
export async function brokenRows(catalog: Catalog, database: ChaosDatabase): Promise<readonly string[]> {
  const taken = await rowsOf<Row>(catalog, "kept.taken");
  const sums = await rowsOf<Sum & { readonly day: string }>(catalog, "kept.sums");
  const months = await rowsOf<Sum & { readonly month: string }>(catalog, "kept.months");
  const changes = await rowsOf<{ readonly day: string; readonly n: bigint }>(catalog, "kept.changes");
  const cancelled = await database.sql<{ day: string }>(CANCELLED); // whose rows, if there are some, start no sensor
  const isCompared = ({ day }: { readonly day: string }) => !cancelled.some((of) => of.day === day);
  const compared = sums.filter(isCompared);
  const daysOf = (month: string) => sums.filter(({ day }) => day.startsWith(month));
  return [
    ...(await brokenAppends(database, "taking", taken)),
    ...(await brokenAppends(database, "filling", await rowsOf<Row>(catalog, "kept.filled"))),
    ...unlike(
      "kept.sums",
      compared.map(({ day, ...of }) => textOf(day, of)),
      compared.map(({ day }) => textOf(day, sumOf([...taken, ...changes].filter((row) => row.day === day)))),
    ),
    ...unlike(
      "the days of kept.sums",
      sums.map(({ day }) => day),
      [...new Set([...taken.filter(isCompared), ...changes, ...sums].map(({ day }) => day))],
    ),
    ...unlike(
      "kept.months",
      months.map(({ month, ...of }) => textOf(month, of)),
      // a rebuild may have made one that has no days
      [...new Set([...sums.map(({ day }) => day.slice(0, 7)), ...months.map(({ month }) => month)])].map((month) => {
        const rows = daysOf(month).reduce((sum, day) => sum + day.rows, 0n);
        return textOf(month, { rows, n: sumOf(daysOf(month)).n });
      }),
    ),
    ...(await brokenLabels(catalog)),
  ];
}

/** Each run that has done a day has appended its rows once, and no other has. */
async function brokenAppends(
  database: ChaosDatabase,
  pipeline: string,
  rows: readonly Row[],
): Promise<readonly string[]> {
  const runs = await database.sql<{ run: number; day: string; done: boolean }>(DAYS_OF_RUNS, [pipeline]);
  const found = Map.groupBy(rows, ({ run, day }) => `${run} ${day}`);
  const known = new Set(runs.map(({ run, day }) => `${run} ${day}`));
  const broken = runs.flatMap(({ run, day, done }) => {
    const has = (found.get(`${run} ${day}`) ?? [])
      .map(({ n }) => Number(n))
      .toSorted((a, b) => a - b)
      .join(" ");
    return has === APPENDED || (!done && BEGUN.has(has))
      ? []
      : [`run ${run} of ${pipeline}, which has ${done ? "" : "not "}done ${day}, appended rows '${has}'`];
  });
  const strange = [...found.keys()].filter((of) => !known.has(of));
  return [...broken, ...strange.map((of) => `there are rows of ${pipeline} that no run made: ${of}`)];
}

/** Each name is labelled once. */
async function brokenLabels(catalog: Catalog): Promise<readonly string[]> {
  const names = await rowsOf<{ readonly name: string }>(catalog, "kept.names");
  const labels = await rowsOf<{ readonly name: string }>(catalog, "kept.labels");
  const textsOf = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
  return unlike("kept.labels", textsOf(labels), textsOf(names));
}

function unlike(what: string, found: readonly string[], wanted: readonly string[]): readonly string[] {
  const [has, should] = [found, wanted].map((texts) => texts.toSorted().join(", "));
  return has === should ? [] : [`${what} should have ${should}, and has ${has}`];
}

function sumOf(rows: readonly { readonly n: bigint }[]): Sum {
  return { rows: BigInt(rows.length), n: rows.reduce((sum, { n }) => sum + n, 0n) };
}

function textOf(key: string, { rows, n }: Sum): string {
  return `${key}: ${rows} rows of ${n}`;
}

/** None of a table that no run has made yet. */
async function rowsOf<R extends object>(catalog: Catalog, name: string): Promise<readonly R[]> {
  if (!(await catalog.listTables("kept")).includes(name)) return [];
  return await (await catalog.loadTable(name)).scan<R>().toArray();
}

const DAYS_OF_RUNS = `
  select r.id::int as run, k.key as day, coalesce(s.status = 'succeeded', false) as done
  from orca.runs r join orca.run_keys k on k.run = r.id
  left join orca.steps s on s.run = r.id and s.partition = k.key and s.step in ('take', 'fill')
  where r.pipeline = $1`;
const CANCELLED = `
  select k.key as day from orca.runs r join orca.run_keys k on k.run = r.id
  where r.pipeline = 'taking' and r.status <> 'succeeded'`;
