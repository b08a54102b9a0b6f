/** Rows with columns that no file has. */
import type { Engine, Relation } from "@orcajs/iceberg";
import type { Column } from "../../core/datasets/column.ts";
import { SqlFragment, sqlPieces } from "../../core/sql/fragment.ts";
import { duckType } from "./duck-type.ts";
import { queryOf } from "./step-sql.ts";

/** No rows, with these columns. */
export function emptyRows(engine: Engine, columns: readonly Column[]): Relation {
  return queryOf(engine, new SqlFragment(["SELECT ", " WHERE false"], [sqlPieces.join(columns.map(nullColumn))]));
}

/** The rows, with columns that are null besides. @param all the columns of the result, in their order. */
export function withNulls(engine: Engine, rows: Relation, all: readonly Column[], nulls: readonly Column[]): Relation {
  const columns = all.map((column) => (nulls.includes(column) ? nullColumn(column) : sqlPieces.id(column.name)));
  return queryOf(engine, new SqlFragment(["SELECT ", " FROM ", ""], [sqlPieces.join(columns), rows]));
}

function nullColumn({ name, type }: Column) {
  return new SqlFragment([`NULL::${duckType(type)} AS `, ""], [sqlPieces.id(name)]) as never;
}
