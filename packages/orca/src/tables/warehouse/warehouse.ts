/** The tables of datasets, in a catalog. */
import { type Catalog, type Engine, IcebergError, openCatalog, type Table } from "@orcajs/iceberg";
import type { Column } from "../../core/datasets/column.ts";
import { nameOf, type DatasetOrName } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import { addedColumns } from "./drift.ts";
import { columnsOfTable, icebergFields, icebergOrder, icebergPartitions } from "./iceberg-columns.ts";

/** The tables of a warehouse, as a process uses them. Datasets are known by their names. */
export class Warehouse implements AsyncDisposable {
  readonly #catalog: Catalog;
  readonly #tables = new Map<string, Promise<Table>>();

  /** @param location a folder, `s3://…`, `rest+https://…` or `memory:…`. */
  constructor(location: string) {
    this.#catalog = openCatalog(location);
  }

  get engine(): Engine {
    return this.#catalog.engine;
  }

  /** The URI or path of the warehouse. */
  get location(): string {
    return this.#catalog.location;
  }

  /** The table of a dataset as it is now, or undefined if there is none. */
  async find(name: string): Promise<Table | undefined> {
    const known = this.#tables.get(name);
    try {
      if (known !== undefined) return await (await known).refresh();
      const loading = this.#catalog.loadTable(name);
      this.#tables.set(name, loading);
      return await loading;
    } catch (error) {
      this.#tables.delete(name);
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
    const table = (await this.find(name)) ?? (await this.#create(dataset, declared));
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
    await this.#createNamespaces(name);
    try {
      await this.#catalog.createTable(name, {
        fields: icebergFields(columns),
        partitionBy: icebergPartitions(partitionBy),
        sortBy: icebergOrder(sortBy),
        ...(doc !== undefined && { properties: { comment: doc } }),
      });
    } catch (error) {
      if (!isError(error, "table-exists", "commit-unknown")) throw error; // another step was quicker
    }
    const made = await this.find(name);
    if (made !== undefined) return made;
    throw new OrcaError("table-missing", `the table of '${name}' was dropped as soon as it was made`);
  }

  async #createNamespaces(name: string): Promise<void> {
    const parts = name.split(".").slice(0, -1);
    for (const [i] of parts.entries()) {
      const namespace = parts.slice(0, i + 1).join(".");
      await this.#catalog.createNamespace(namespace).catch((error: unknown) => {
        if (!isError(error, "namespace-exists")) throw error;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#catalog[Symbol.asyncDispose]();
  }
}

function isError(error: unknown, ...codes: readonly IcebergError["code"][]): boolean {
  return error instanceof IcebergError && codes.includes(error.code);
}
