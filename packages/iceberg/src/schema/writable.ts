/** Columns that tables may have by the format, but that can't be written or read here. */
import { IcebergError } from "../errors.ts";
import { childFields, type Field } from "./type.ts";

/**
 * Passes if rows with these fields can be written to a new table.
 * @throws IcebergError `unsupported`, with the field.
 */
export function checkWritable(fields: readonly Field[], within = ""): void {
  const lower = new Map<string, string>();
  for (const { name, type } of fields) {
    const path = `${within}${name}`;
    if (name.includes("\0") || !name.isWellFormed())
      throw unsupported(`${JSON.stringify(path)} has a NUL or half of a surrogate pair, which SQL's names can't have`);
    if (within !== "" && name === "__proto__")
      throw unsupported(`${path} can't be a field of an object: name it otherwise`);
    const other = lower.get(name.toLowerCase());
    if (other !== undefined)
      throw unsupported(`${path} differs from ${within}${other} by case only, and SQL takes them as one: rename one`);
    lower.set(name.toLowerCase(), name);
    if (type.kind === "timestamp_ns" || type.kind === "timestamptz_ns")
      throw unsupported(
        `${path} is a ${type.kind}, which needs version 3 of the format: tables are made in version 1 or 2`,
      );
    checkWritable(childFields(type), `${path}.`);
  }
}

function unsupported(why: string): IcebergError {
  return new IcebergError("unsupported", `column ${why}`);
}
