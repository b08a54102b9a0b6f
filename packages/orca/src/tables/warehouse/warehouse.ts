/** The tables of datasets, in a catalog, and beside it those that are known by their locations. */
import {
  type Catalog,
  type CreateTableAtOptions,
  type Engine,
  type EngineOptions,
  IcebergError,
  openCatalog,
  type Table,
} from "@orcajs/iceberg";
import type { Column } from "../../core/datasets/column.ts";
import { isLocation, nameOf, type DatasetOrName } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import { addedColumns } from "./drift.ts";
import { columnsOfTable, icebergFields, icebergOrder, icebergPartitions } from "./iceberg-columns.ts";
import { addWhatNodeLacks } from "./older-node.ts";
import type { WarehouseAccess } from "../warehouse-access.ts";
import { LocatedTables } from "./located-tables.ts";

export interface WarehouseOptions {
  readonly access?: WarehouseAccess | undefined;
  /** What DuckDB may take: as much as there is. */
  readonly engine?: EngineOptions | undefined;
  /** Where a table is that is known by its location, if it is elsewhere: a test's are in memory. */
  readonly placeOf?: (location: string) => string;
}

/** The tables of a warehouse, and those by their locations, as a process uses them. */
export class Warehouse implements AsyncDisposable {
  readonly #catalog: Catalog;
  readonly #located: LocatedTables;
  readonly #tables = new Map<string, Promise<Table>>();

  readonly #placeOf: (location: string) => string;

  /** @param location a folder, `s3://…`, `rest+https://…` or `memory:…`. */
  constructor(location: string, { access, engine, placeOf = (place) => place }: WarehouseOptions = {}) {
    addWhatNodeLacks();
    this.#placeOf = placeOf;
    this.#catalog = openCatalog(location, { engine, ...(access !== undefined && { rest: access }) });
    this.#located = new LocatedTables(this.#catalog.engine);
  }

  get engine(): Engine {
    return this.#catalog.engine;
  }

  /** The URI or path of the warehouse. */
  get location(): string {
    return this.#catalog.location;
  }

  /**
   * The table of a dataset as it is now, or undefined if there is none.
   *
   * @param name or its location. @param isWritten whether it is to be written, too. @throws IcebergError `read-only` if that can't be.
   */
  async find(name: string, isWritten = false): Promise<Table | undefined> {
    const isAt = isLocation(name);
    const key = isAt && isWritten ? `${name} to write` : name;
    const known = this.#tables.get(key);
    try {
      if (known !== undefined) return await (await known).refresh();
      const loading = isAt ? this.#located.open(this.#placeOf(name), isWritten) : this.#catalog.loadTable(name);
      this.#tables.set(key, loading);
      return await loading;
    } catch (error) {
      this.#tables.delete(key);
      if (isError(error, "table-missing", "namespace-missing")) return undefined;
      throw error;
    }
  }

  /**
   * The table of a dataset as it is now, made if there is none, and with the columns added that the dataset has and that may be null.
   *
   * @param columns of a dataset that is only named.
   * @throws OrcaError `table-drifted` if it differs in another way; `table-missing` if there is none, and no columns are known.
   */
  async ensure(dataset: DatasetOrName, columns?: readonly Column[]): Promise<Table> {
    const name = nameOf(dataset);
    const declared = typeof dataset === "string" ? columns : dataset.columns;
    const table = (await this.find(name, true)) ?? (await this.#create(dataset, declared));
    if (declared === undefined) return table;
    const added = addedColumns(name, declared, columnsOfTable(table.schema.fields));
    if (added.length === 0) return table;
    try {
      await table.changeSchema(
        icebergFields(added).map(({ name: column, type, doc }) => ({
          change: "add",
          column,
          type,
          ...(doc !== undefined && { doc }),
        })),
      );
    } catch (error) {
      if (!isError(error, "commit-conflict", "invalid-change")) throw error;
      await table.refresh(); // another step may have added them
      if (addedColumns(name, declared, columnsOfTable(table.schema.fields)).length > 0) throw error;
    }
    return table;
  }

  async #create(dataset: DatasetOrName, columns: readonly Column[] | undefined): Promise<Table> {
    const name = nameOf(dataset);
    if (columns === undefined)
      throw new OrcaError(
        "table-missing",
        `there is no table '${name}' yet, and no columns that it could be made with: declare it as dataset("${name}", { … }), or make it by ctx.ensureTable`,
      );
    const { partitionBy = [], sortBy = [], doc } = typeof dataset === "string" ? {} : dataset;
    const table = {
      fields: icebergFields(columns),
      partitionBy: icebergPartitions(partitionBy),
      sortBy: icebergOrder(sortBy),
      ...(doc !== undefined && { properties: { comment: doc } }),
    };
    try {
      if (isLocation(name)) await this.#located.create(this.#placeOf(name), table);
      else await this.#createNamed(name, table);
    } catch (error) {
      if (!isError(error, "table-exists", "commit-unknown")) throw error; // another step was quicker
    }
    const made = await this.find(name, true);
    if (made !== undefined) return made;
    throw new OrcaError("table-missing", `the table of '${name}' was dropped as soon as it was made`);
  }

  async #createNamed(name: string, table: CreateTableAtOptions): Promise<void> {
    const parts = name.split(".").slice(0, -1);
    for (const [i] of parts.entries()) {
      const namespace = parts.slice(0, i + 1).join(".");
      await this.#catalog.createNamespace(namespace).catch((error: unknown) => {
        if (!isError(error, "namespace-exists")) throw error;
      });
    }
    await this.#catalog.createTable(name, table);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#located[Symbol.asyncDispose]();
    await this.#catalog[Symbol.asyncDispose]();
  }
}

function isError(error: unknown, ...codes: readonly IcebergError["code"][]): boolean {
  return error instanceof IcebergError && codes.includes(error.code);
}
