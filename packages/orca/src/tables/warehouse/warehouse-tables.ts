import type { StepDefinition } from "../../core/step-definition.ts";
import type { TableRecords } from "../../core/table-records.ts";
import type { RunTables } from "../run-tables.ts";
import type { StepTables, TablesUser } from "../step-tables.ts";
import type { CodeOfRun } from "./commit-properties.ts";
import { Warehouse } from "./warehouse.ts";
import { warehouseStepTables } from "./warehouse-step-tables.ts";

/** The tables of a run in a warehouse. */
export class WarehouseTables implements RunTables, AsyncDisposable {
  readonly warehouse: Warehouse;
  readonly #records: TableRecords;
  readonly #code: CodeOfRun;

  /** @param warehouse or its location; it is disposed with this. */
  constructor(warehouse: Warehouse | string, records: TableRecords, code: CodeOfRun) {
    this.warehouse = typeof warehouse === "string" ? new Warehouse(warehouse) : warehouse;
    this.#records = records;
    this.#code = code;
  }

  of(step: StepDefinition, _partition: string | undefined, attempt: TablesUser): StepTables {
    const run = { warehouse: this.warehouse, records: this.#records, code: this.#code };
    return warehouseStepTables(run, step, attempt);
  }

  release(step: StepDefinition, partition: string | undefined): void {
    this.#records.release?.(step.name, partition);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.warehouse[Symbol.asyncDispose]();
  }
}
