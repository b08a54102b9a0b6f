import { OrcaError } from "../../../core/errors.ts";
import {
  datasetFacts,
  newestRead,
  rowsOverTime,
  snapshotsOf,
  type DatasetFacts,
  type SnapshotRow,
} from "../../../state/pages/dataset.ts";
import type { Preview } from "../../previews.ts";
import type { Asked } from "../../view.ts";
import { nearLineage, type Direction, type LineageGraph } from "./lineage-graph.ts";
import { rowStretches, type RowStretches } from "./row-stretches.ts";

export interface DatasetPage extends DatasetFacts {
  readonly name: string;
  readonly snapshots: readonly SnapshotRow[];
  /** After which the next page of them begins. */
  readonly next: string | null;
  readonly rowsOverTime: RowStretches | null;
  readonly direction: Direction;
  /** Of the snapshot that was asked for, or the newest; null if no run has made or read one. */
  readonly lineage: LineageGraph | null;
  /** What was read of its rows last; null if nothing was. */
  readonly preview: Preview | null;
}

const SNAPSHOTS = 15;
const DIRECTIONS = ["both", "back", "forward"] as const;

export async function readDataset({ database, part, query, previews }: Asked): Promise<DatasetPage> {
  const name = part("name");
  const [wanted, before] = [query.text("snapshot"), query.text("before")];
  for (const text of [wanted, before]) if (text !== undefined) checkSnapshot(text);
  const direction = query.oneOf("direction", DIRECTIONS) ?? "both";
  const [facts, snapshots, rows] = await Promise.all([
    datasetFacts(database, name),
    snapshotsOf(database, name, { before, limit: SNAPSHOTS + 1 }),
    rowsOverTime(database, name),
  ]);
  if (facts === undefined) throw unknownDataset(name);
  const snapshot =
    wanted ?? (before === undefined ? snapshots[0]?.snapshot : undefined) ?? (await newestRead(database, name));
  const shown = snapshots.slice(0, SNAPSHOTS);
  return {
    name,
    ...facts,
    snapshots: shown,
    next: snapshots.length > SNAPSHOTS ? shown.at(-1)!.snapshot : null,
    rowsOverTime: rowStretches(rows) ?? null,
    direction,
    lineage: snapshot === undefined ? null : await nearLineage(database, { dataset: name, snapshot }, direction),
    preview: previews.of(name) ?? null,
  };
}

export function unknownDataset(name: string): OrcaError {
  const why = "no registered pipeline reads or writes it, and no run has written it";
  return new OrcaError("unknown-dataset", `there is no dataset '${name}': ${why}`);
}

/** Numbers that a row may have. */
function checkSnapshot(text: string): void {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) >= 2n ** 63n)
    throw new OrcaError("usage", `'${text}' isn't a snapshot's number`);
}
