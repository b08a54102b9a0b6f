import { ObjectStoreError } from "./errors.ts";
import { quoted } from "./key.ts";
import type { PutCondition } from "./object-store.ts";

/** When a put is to write: where no object is, or over the contents that an etag names. */
export type Condition = "absent" | { readonly etag: string };

/**
 * A put's condition; nothing if it is to write always.
 * @throws ObjectStoreError `invalid-option` on two conditions at once, or an empty etag.
 */
export function conditionOf(options: PutCondition): Condition | undefined {
  const { ifAbsent, ifMatch }: { readonly ifAbsent?: boolean | undefined; readonly ifMatch?: string | undefined } =
    options;
  if (ifMatch === undefined) return ifAbsent === true ? "absent" : undefined;
  if (ifAbsent === true)
    throw new ObjectStoreError("invalid-option", "ifAbsent and ifMatch exclude each other: give one of them");
  if (typeof ifMatch !== "string" || ifMatch === "")
    throw new ObjectStoreError("invalid-option", "ifMatch takes an etag, as get, head and put give it");
  return { etag: ifMatch };
}

/** The error for a condition that doesn't hold. */
export function conditionFails(
  location: string,
  key: string,
  condition: Condition,
  options?: ErrorOptions,
): ObjectStoreError {
  const why =
    condition === "absent"
      ? "there is one already"
      : `it is no longer the one of etag ${condition.etag}: read it again, and decide anew`;
  return new ObjectStoreError("conflict", `object ${quoted(key)} in ${location} wasn't written: ${why}`, options);
}
