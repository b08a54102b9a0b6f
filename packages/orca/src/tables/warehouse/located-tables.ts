/** Tables by their locations, outside of any warehouse. */
import { createTable, type CreateTableAtOptions, type Engine, openTable, type Table } from "@orcajs/iceberg";

export class LocatedTables implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #opened: Table[] = [];

  /** @param engine of the warehouse that they are read and written beside: one query may have tables of both. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** @throws IcebergError `table-missing`; `read-only` if it is to be written, and only its catalog can do that. */
  async open(location: string, isWritten: boolean): Promise<Table> {
    const table = await openTable(location, { engine: this.#engine, isWritable: isWritten });
    this.#opened.push(table);
    return table;
  }

  /** @throws IcebergError `table-exists`. */
  async create(location: string, table: CreateTableAtOptions): Promise<void> {
    this.#opened.push(await createTable(location, { ...table, engine: this.#engine }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const table of this.#opened) await table[Symbol.asyncDispose]();
  }
}
