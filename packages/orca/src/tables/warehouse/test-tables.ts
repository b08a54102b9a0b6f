/** Tables in memory that a test fills and looks at. */
import { randomUUID } from "node:crypto";
import { untypedRow } from "../../core/datasets/stored-row.ts";
import { type Dataset, type DatasetOrName, nameOf } from "../../core/datasets/dataset.ts";
import type { Row } from "../../core/sql/relation.ts";
import type { StepDefinition } from "../../core/step-definition.ts";
import { MemoryTableRecords } from "../memory-records.ts";
import type { RunTables } from "../run-tables.ts";
import type { StepTables, TablesUser } from "../step-tables.ts";
import { guessedColumns } from "./guessed-columns.ts";
import { columnsOfTable } from "./iceberg-columns.ts";
import { PinnedReads } from "./pinned-reads.ts";
import { Warehouse } from "./warehouse.ts";
import { WarehouseTables } from "./warehouse-tables.ts";
import { asMisfit, writtenRows } from "./written-rows.ts";

/** Who reads what a test looks at. */
const LOOKING: TablesUser = {
  id: { step: "", partition: undefined, attempt: 1 },
  signal: new AbortController().signal,
  isOver: false,
};

export class TestTables implements RunTables, AsyncDisposable {
  readonly #location = `memory:${randomUUID()}`;
  readonly #tables: WarehouseTables;
  /** The datasets that steps declare with their columns, by name. */
  readonly #declared: ReadonlyMap<string, Dataset>;

  constructor(pipeline: string, steps: readonly StepDefinition[]) {
    const code = { pipeline, run: undefined, runToken: randomUUID(), hashOf: () => undefined };
    this.#tables = new WarehouseTables(this.#open(), new MemoryTableRecords(), code);
    const declared = steps.flatMap(({ reads, writes }) => [...reads, ...writes]);
    this.#declared = new Map(declared.filter((d) => typeof d !== "string").map((d) => [d.name, d]));
  }

  of(step: StepDefinition, partition: string | undefined, user: TablesUser): StepTables {
    return this.#tables.of(step, partition, user);
  }

  release(step: StepDefinition, partition: string | undefined): void {
    this.#tables.release(step, partition);
  }

  /**
   * Puts rows into a table, which is made if there is none. One that is named, and that no step declares with its columns, has those of its rows.
   *
   * @throws OrcaError `rows-misfit` if they don't fit its columns; `table-drifted` if it has others.
   */
  async fill(dataset: DatasetOrName, rows: readonly Row[]): Promise<void> {
    const name = nameOf(dataset);
    const known = typeof dataset === "string" ? this.#declared.get(name) : dataset;
    const there = known === undefined ? await this.#tables.warehouse.find(name) : undefined;
    const table =
      there ??
      (await this.#tables.warehouse.ensure(
        known ?? name,
        known === undefined
          ? guessedColumns(
              name,
              rows.map((row, i) => untypedRow(name, row, i + 1)),
            )
          : undefined,
      ));
    try {
      await table.append(writtenRows({ name, columns: columnsOfTable(table.schema.fields) }, rows));
    } catch (error) {
      throw asMisfit(name, error);
    }
  }

  /** A table's rows as they are now, also when this was disposed; undefined if there is none. */
  async rows(dataset: DatasetOrName): Promise<readonly Row[] | undefined> {
    await using warehouse = this.#open();
    if ((await warehouse.find(nameOf(dataset))) === undefined) return undefined;
    const reads = new PinnedReads(warehouse, new MemoryTableRecords(), LOOKING);
    return await (await reads.rowsOf(dataset, {})).rows.toArray();
  }

  /** Tables that are known by their locations are in memory too. */
  #open(): Warehouse {
    return new Warehouse(this.#location, {
      placeOf: (place) => `${this.#location}/located/${encodeURIComponent(place)}`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tables[Symbol.asyncDispose]();
  }
}
