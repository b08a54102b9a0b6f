import { IcebergError } from "@orcajs/iceberg";
import { OrcaError } from "../../core/errors.ts";

/** A query that DuckDB can't run, in the words of SQL without tables. */
export function asSqlMisfit(error: unknown): unknown {
  if (!(error instanceof IcebergError && error.code === "query-failed")) return error;
  const isOfDuck = error.cause !== undefined;
  return new OrcaError("sql-misfit", `${isOfDuck ? "SQL failed: " : ""}${error.message}`, { cause: error });
}
