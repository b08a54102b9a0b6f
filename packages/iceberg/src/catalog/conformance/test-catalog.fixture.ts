import { IcebergError } from "../../errors.ts";
import type { TableFiles } from "../../files/table-files.ts";
import type { Catalog } from "../catalog.ts";

/** A catalog to test, with nothing in it, and what ends it. */
export interface TestCatalog extends AsyncDisposable {
  readonly catalog: Catalog;
  /** The same catalog, as another process opens it. It is disposed with the first. */
  another(): Catalog;
  /** Its tables' files. */
  readonly files: TableFiles;
}

export const COLUMNS = { id: "long", day: "date", mm: "double?" } as const;

/** The code of what a promise is rejected with; `done` if it isn't. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof IcebergError) return error.code;
    throw error;
  }
}
