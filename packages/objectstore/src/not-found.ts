import { ObjectStoreError } from "./errors.ts";
import { quoted } from "./key.ts";

/** The error for an object that isn't there. */
export function notFound(location: string, key: string, options?: ErrorOptions): ObjectStoreError {
  return new ObjectStoreError("not-found", `there is no object ${quoted(key)} in ${location}`, options);
}
