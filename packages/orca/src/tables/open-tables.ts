import { isLocation, nameOf } from "../core/datasets/dataset.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import type { TableRecords } from "../core/table-records.ts";
import { MemoryTableRecords } from "./memory-records.ts";
import type { RunTables } from "./run-tables.ts";
import { SqlTables } from "./sql/sql-tables.ts";
import type { WarehouseAccess } from "./warehouse-access.ts";
import type { CodeOfRun } from "./warehouse/commit-properties.ts";

/** Where a run's tables are, and what is recorded of them. */
export interface TablesOfRun {
  /** A folder, `s3://…` or `rest+https://…`; undefined: in memory, and nothing is recorded of them. */
  readonly warehouse: string | undefined;
  readonly access?: WarehouseAccess | undefined;
  readonly records: TableRecords;
  readonly code: CodeOfRun;
}

/** The tables of a run. Steps that declare no datasets have SQL alone: Iceberg takes 0.1 s to load. */
export async function openTables(
  steps: readonly StepDefinition[],
  { warehouse, access, records, code }: TablesOfRun,
): Promise<RunTables & AsyncDisposable> {
  if (datasetsOf(steps).length === 0) return new SqlTables();
  const [{ WarehouseTables }, { Warehouse }] = await Promise.all([
    import("./warehouse/warehouse-tables.ts"),
    import("./warehouse/warehouse.ts"),
  ]);
  const isInMemory = warehouse === undefined && !datasetsOf(steps).some(isLocation);
  const opened = new Warehouse(warehouse ?? "memory:", { access });
  return new WarehouseTables(opened, isInMemory ? new MemoryTableRecords() : records, code);
}

/** The names of the datasets that steps declare. */
export function datasetsOf(steps: readonly StepDefinition[]): readonly string[] {
  return steps.flatMap(({ reads, writes }) => [...reads, ...writes]).map(nameOf);
}
