/** `orca lineage --rows`: which commits' rows a snapshot has. */
import type { Snapshot } from "../core/ctx.ts";
import { OrcaError } from "../core/errors.ts";
import { type DatasetSnapshot, LINEAGE_STEPS, type Made, textOfSnapshot } from "../core/lineage.ts";
import type { Database } from "../state/database.ts";
import { locationOf, walkBack } from "../state/lineage.ts";
import { counted } from "./run-report.ts";

/** What is known of a snapshot's rows. */
export interface RowsOf {
  readonly rowsOf: readonly Held[];
  /** Snapshots among these that have expired: they may have taken rows over from others, which isn't known any more. */
  readonly expired: readonly Snapshot[];
}

/** A snapshot whose rows another has. */
interface Held extends DatasetSnapshot {
  readonly snapshot: Snapshot;
  readonly files: number;
  readonly rows: number;
  /** Whether it is certain that some of its rows are there: not after its files were rewritten without some of them. */
  readonly isCertain: boolean;
  /** Undefined if another writer made it. */
  readonly made: Pick<Made, "by" | "from"> | undefined;
}

/** @throws OrcaError `unknown-snapshot` of a dataset that is in no record; `table-missing`; `snapshot-expired`. */
export async function rowsOf(database: Database, { dataset, snapshot }: DatasetSnapshot): Promise<RowsOf> {
  const location = await locationOf(database, dataset);
  if (location === undefined || snapshot === undefined)
    throw new OrcaError("unknown-snapshot", `no run on record has read or made a snapshot of ${dataset}`);
  const { originsAt } = await import("../tables/warehouse/row-origins.ts");
  const { origins, expired } = await originsAt(dataset, location, snapshot);
  const last = LINEAGE_STEPS - 1; // no further than to who made each
  const links = await walkBack(
    database,
    origins.map((one) => ({ dataset, snapshot: one.snapshot, distance: last })),
  );
  const made = new Map(links.map(({ snapshot: one, by, from }) => [one, { by, from }]));
  const held = origins.map((one) => ({ dataset, ...one, made: made.get(one.snapshot) }));
  return { rowsOf: held.toSorted(byMaker), expired };
}

/** What is said of a snapshot's rows to a person: all whom one step's code made together. */
export function linesOfRows(start: DatasetSnapshot, { rowsOf: held, expired }: RowsOf): readonly string[] {
  const some = (isCertain: boolean) => groupLines(held.filter((one) => one.isCertain === isCertain));
  const [certain, others] = [some(true), some(false)];
  return [
    textOfSnapshot(start),
    "has rows of:",
    ...(certain.length === 0 ? ["  no snapshot for certain"] : certain),
    ...(others.length === 0 ? [] : ["may have rows of:", ...others]),
    ...(expired.length === 0
      ? []
      : [`${counted(expired.length, "snapshot")} of these expired, and may have rewritten files of others`]),
  ];
}

function groupLines(held: readonly Held[]): readonly string[] {
  const groups = Map.groupBy(held, ({ made }) => made && `${made.by.pipeline} ${made.by.step} code ${made.by.code}`);
  return Array.from(groups, ([by = "other writers", all]) => {
    const rows = all.reduce((sum, one) => sum + one.rows, 0);
    const which =
      by === "other writers" ? all.map((one) => String(one.snapshot)) : all.map(({ made }) => placeOf(made!));
    return `  ${counted(all.length, "snapshot")} with ${counted(rows, "row")} by ${by}: ${shortList(which)}`;
  });
}

function placeOf({ by: { run, partition } }: Pick<Made, "by">): string {
  return `run ${run}${partition === "" ? "" : ` ${partition}`}`;
}

/** The first of a list and the last, where a line has no place for all. */
function shortList(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  if (unique.length <= SHOWN_MAX) return unique.join(", ");
  return `${unique.slice(0, SHOWN_MAX - 1).join(", ")}, … ${unique.at(-1)}`;
}
const SHOWN_MAX = 4;

function byMaker(a: Held, b: Held): number {
  const [x, y] = [a.made?.by, b.made?.by];
  if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
  return x.run - y.run || (x.partition < y.partition ? -1 : Number(x.partition > y.partition));
}
