import { inspect } from "node:util";
import { IcebergError } from "../errors.ts";

/** The error for what isn't a change. @param of what it was to change, in the sentence: `columns`. */
export function unknownChange(given: unknown, of: string): IcebergError {
  return new IcebergError(
    "invalid-change",
    `${inspect(given)} is no change of ${of}: its kind is said by "change", as in { change: "rename", … }`,
  );
}
