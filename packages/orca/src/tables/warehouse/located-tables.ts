/** Tables by their locations, outside of any warehouse. */
import { createTable, type CreateTableAtOptions, type Engine, openTable, type Table } from "@orcajs/iceberg";

export class LocatedTables implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #opened = new AsyncDisposableStack();

  /** @param engine of the warehouse that they are read and written beside: one query may have tables of both. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** @throws IcebergError `table-missing`; `read-only` if it is to be written, and only its catalog can do that. */
  async open(location: string, isWritten: boolean): Promise<Table> {
    return this.#opened.use(await openTable(location, { engine: this.#engine, isWritable: isWritten }));
  }

  /** @throws IcebergError `table-exists`. */
  async create(location: string, table: CreateTableAtOptions): Promise<void> {
    this.#opened.use(await createTable(location, { ...table, engine: this.#engine }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }
}
