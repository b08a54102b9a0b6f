/** What may stand in SQL, at run time: the sentences are those of the compiler. */
import { Relation } from "../engine/relation.ts";
import { IcebergError } from "../errors.ts";
import { SqlFragment } from "./fragment.ts";

/** @throws IcebergError `query-failed` with the compiler's sentence if a value, or one in a piece of SQL, can't stand in SQL. */
export function checkInSql(v: unknown): void {
  if (v instanceof Relation) return;
  if (isPlain(v)) return checkSize(v);
  if (v instanceof SqlFragment) return v.values.forEach(checkInSql);
  if (v === undefined) throw misfit("SQL takes no undefined: write null");
  if (typeof v === "function" || typeof v === "symbol") throw misfit(`SQL takes no ${typeof v}`);
  if (Array.isArray(v)) {
    if (!v.every(isPlain)) throw misfit("SQL takes lists of plain values only");
    return v.forEach(checkSize);
  }
  const { then } = v as { then?: unknown };
  throw misfit(typeof then === "function" ? "SQL takes no promise: await it" : "SQL takes no object");
}

function isPlain(v: unknown): boolean {
  if (v === null || v instanceof Date || v instanceof Uint8Array) return true;
  return typeof v === "string" || typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
}

/** @throws IcebergError `query-failed` if SQL would make another value of a plain one. */
function checkSize(v: unknown): void {
  if (typeof v === "bigint" && BigInt.asIntN(128, v) !== v) throw misfit("SQL takes integers of at most 128 bits");
  if (v instanceof Date && Number.isNaN(v.getTime())) throw misfit("SQL takes no invalid Date");
}

function misfit(message: string): IcebergError {
  return new IcebergError("query-failed", message);
}
