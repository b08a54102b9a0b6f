import { ObjectStoreError } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";

/** That a file of a table has vanished. */
export function missingFile(uri: string, cause: unknown): IcebergError {
  return new IcebergError("file-missing", `the table's file ${uri} isn't there any more`, { cause });
}

/** What to throw for an error of reading a table's file: `file-missing` if the file isn't there, or nothing could be under its name. */
export function readingError(uri: string, error: unknown): unknown {
  if (!(error instanceof ObjectStoreError)) return error;
  if (error.code === "not-found") return missingFile(uri, error);
  // what names it is corrupt
  if (error.code === "invalid-key" || error.code === "invalid-location")
    return new IcebergError("file-missing", `the table's file ${uri} can't be anywhere: ${error.message}`, {
      cause: error,
    });
  return error;
}
