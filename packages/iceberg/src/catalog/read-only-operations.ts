import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { TableOperations, TableState } from "./table-operations.ts";

/** A table that is only read. */
export class ReadOnlyOperations implements TableOperations {
  readonly name: string;
  readonly files: TableFiles;
  readonly isReadOnly = true;
  readonly #operations: TableOperations;

  constructor(operations: TableOperations) {
    this.name = operations.name;
    this.files = operations.files;
    this.#operations = operations;
  }

  load(options?: Abortable): Promise<TableState> {
    return this.#operations.load(options);
  }

  async commit(): Promise<TableState> {
    throw readOnly(this.name);
  }
}

export function readOnly(name: string): IcebergError {
  return new IcebergError("read-only", `table ${name} was opened to be read: open it with isWritable to change it`);
}
