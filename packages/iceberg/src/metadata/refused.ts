import { IcebergError } from "../errors.ts";

/** The error of an update that isn't allowed. */
export function refused(why: string): IcebergError {
  return new IcebergError("invalid-change", why);
}
