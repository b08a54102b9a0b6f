/** Files that were just written, in SQL. */
import { quotedName, quotedPath, quotedText } from "../engine/duck-type.ts";
import type { FieldPlace } from "../schema/schema.ts";

/** A column, or a field in structs. */
export function placeSql({ path: [name, ...within] }: Pick<FieldPlace, "path">): string {
  return [quotedName(name!), ...within.map((part) => `[${quotedText(part)}]`)].join("");
}

/** The rows of a file on this machine. */
export function parquetRows(path: string): string {
  return `read_parquet(${quotedPath(path)}, hive_partitioning = false)`;
}
