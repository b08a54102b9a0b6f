/** What the tables of datasets hold now, by their metadata alone. */
import type { Snapshot as IcebergSnapshot, Table } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import type { Warehouse } from "./warehouse.ts";

/** The current snapshot of a dataset. */
export interface Sensed {
  readonly dataset: string;
  /** Undefined if there is no table. */
  readonly location: string | undefined;
  /** The current one and those that it follows on, back to the first that is still known, as far as they are told: the newest first. */
  readonly snapshots: readonly SensedSnapshot[];
}

/** So many are told: what is committed between two looks, by whom isn't Orca, is to be among them. */
const TOLD_MAX = 1_000;

interface SensedSnapshot {
  readonly id: Snapshot;
  readonly at: Date;
  readonly operation: string | undefined;
  /** Which partitions its writer says that it holds, by the property `orca.partitions`: keys with commas between them. */
  readonly partitions: readonly string[] | undefined;
  /** The attempt that made it, if that was one of Orca's. */
  readonly by: SensedMaker | undefined;
}

interface SensedMaker {
  readonly pipeline: string;
  /** Undefined of a run that isn't recorded. */
  readonly run: number | undefined;
  /** Tells the run from those of other databases. */
  readonly runToken: string;
  readonly step: string;
  /** Undefined for a gather step. */
  readonly partition: string | undefined;
}

/** Reads no data file. */
export async function senseDataset(warehouse: Warehouse, dataset: string): Promise<Sensed> {
  const table = await warehouse.find(dataset);
  return {
    dataset,
    location: table?.location,
    snapshots: table === undefined ? [] : history(table).map(sensedSnapshot),
  };
}

function history(table: Table): readonly IcebergSnapshot[] {
  const byId = new Map(table.snapshots().map((s) => [s["snapshot-id"], s]));
  const found: IcebergSnapshot[] = [];
  for (let next = table.scan().snapshot; next !== undefined && found.length < TOLD_MAX;) {
    found.push(next);
    const parent = next["parent-snapshot-id"];
    next = parent === undefined ? undefined : byId.get(parent);
  }
  return found;
}

function sensedSnapshot(snapshot: IcebergSnapshot): SensedSnapshot {
  const summary = snapshot.summary ?? {};
  return {
    id: snapshot["snapshot-id"],
    at: new Date(snapshot["timestamp-ms"]),
    operation: summary["operation"],
    partitions: summary["orca.partitions"]
      ?.split(",")
      .map((key) => key.trim())
      .filter((key) => key !== ""),
    by: makerIn(summary),
  };
}

function makerIn(summary: Readonly<Record<string, string>>): SensedMaker | undefined {
  const pipeline = summary["orca.pipeline"];
  const step = summary["orca.step"];
  const runToken = summary["orca.run.token"];
  if (pipeline === undefined || step === undefined || runToken === undefined) return undefined;
  const run = summary["orca.run"];
  return {
    pipeline,
    run: run === undefined ? undefined : Number(run),
    runToken,
    step,
    partition: summary["orca.partition"] || undefined,
  };
}
