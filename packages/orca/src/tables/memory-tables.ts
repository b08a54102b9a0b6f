/** Tables in memory, for runs that record nothing and for tests. */
import { nameOf, type DatasetOrName } from "../core/datasets/dataset.ts";
import { placeOf } from "../core/journal.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { rowsThatFit } from "./memory-rows.ts";
import { MemorySql } from "./memory-sql.ts";
import { MemoryStepTables } from "./memory-step-tables.ts";
import { MemoryTable } from "./memory-table.ts";
import type { RunTables } from "./run-tables.ts";
import type { StepTables, TablesUser } from "./step-tables.ts";

/** All tables of a run. Disposing it ends the SQL engine, if one was started. */
export class MemoryTables implements RunTables, Disposable {
  readonly #tables = new Map<string, MemoryTable>();
  readonly #steps = new Map<string, MemoryStepTables>();
  readonly sql = new MemorySql();

  /** The table of a dataset, made if there is none. @throws OrcaError as `learnColumns` of MemoryTable. */
  get(dataset: DatasetOrName): MemoryTable {
    const name = nameOf(dataset);
    const columns = typeof dataset === "string" ? undefined : dataset.columns;
    const table = this.#tables.get(name) ?? new MemoryTable(name, columns);
    table.learnColumns(columns);
    this.#tables.set(name, table);
    return table;
  }

  /** Whether there is a table of that name. */
  has(dataset: DatasetOrName): boolean {
    return this.#tables.has(nameOf(dataset));
  }

  /** Puts rows into a table. @throws OrcaError `rows-misfit` if they don't fit its columns. */
  async fill(dataset: DatasetOrName, rows: unknown): Promise<void> {
    const table = this.get(dataset);
    table.commit(() => true, await rowsThatFit(table, rows));
  }

  /** A step's tables: the same for all attempts of one partition, which read what the first one read and commit once. */
  of(step: StepDefinition, partition: string | undefined, user: TablesUser): StepTables {
    const place = placeOf(step.name, partition);
    let tables = this.#steps.get(place);
    if (tables === undefined) this.#steps.set(place, (tables = new MemoryStepTables(this, step)));
    return tables.attempt(user);
  }

  /** A step's attempts for a partition are over: the snapshots that they read are let go. */
  release(step: StepDefinition, partition: string | undefined): void {
    this.#steps.delete(placeOf(step.name, partition));
  }

  [Symbol.dispose](): void {
    this.sql[Symbol.dispose]();
  }
}
