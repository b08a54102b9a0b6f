/** What may stand in SQL, at run time: the sentences are those of the compiler, which relation.ts of core has. */
import { OrcaError } from "../../core/errors.ts";
import { SqlFragment } from "../../core/sql/fragment.ts";

/**
 * Passes if a value can stand in SQL.
 *
 * @param isRelation whether a value is a scan or a query of the tables that SQL is over.
 * @throws OrcaError `sql-misfit` with the compiler's sentence if a value, or one in a piece of SQL, can't stand in SQL.
 */
export function checkInSql(v: unknown, isRelation: (v: unknown) => boolean): void {
  if (isRelation(v)) return;
  if (isPlain(v)) return checkSize(v);
  if (v instanceof SqlFragment) return v.values.forEach((value) => checkInSql(value, isRelation));
  if (v === undefined) throw misfit("SQL takes no undefined: write null");
  if (typeof v === "function" || typeof v === "symbol") throw misfit(`SQL takes no ${typeof v}`);
  if (Array.isArray(v)) {
    if (!v.every(isPlain)) throw misfit("SQL takes lists of plain values only");
    return v.forEach(checkSize);
  }
  const { kind, name, then } = v as { kind?: unknown; name?: unknown; then?: unknown };
  if (kind === "dataset") throw misfit("SQL takes a scan of a dataset: ctx.scan(…)");
  if (kind === "mapped" || kind === "gather" || kind === "task")
    throw misfit(`SQL takes no step or task, and '${String(name)}' is one`);
  throw misfit(typeof then === "function" ? "SQL takes no promise: await it" : "SQL takes no object");
}

/** Whether a value is a parameter. */
function isPlain(v: unknown): boolean {
  if (v === null || v instanceof Date || v instanceof Uint8Array) return true;
  return typeof v === "string" || typeof v === "number" || typeof v === "bigint" || typeof v === "boolean";
}

/** @throws OrcaError `sql-misfit` if SQL would make another value of a plain one. */
function checkSize(v: unknown): void {
  if (typeof v === "bigint" && BigInt.asIntN(128, v) !== v) throw misfit("SQL takes integers of at most 128 bits");
  if (v instanceof Date && Number.isNaN(v.getTime())) throw misfit("SQL takes no invalid Date");
}

function misfit(message: string): OrcaError {
  return new OrcaError("sql-misfit", message);
}
