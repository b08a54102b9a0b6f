/** Pieces of SQL, put together before they run. */
import { quotedName } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import type { InSql, Sql, SqlBuilder, SqlPieces } from "./in-sql.ts";

/** What a piece of SQL is at run time: texts, and the values between them. */
export class SqlFragment {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  /** @param texts one more than the values. */
  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }
}

/** `id` and `join`, which make pieces. */
export const sqlPieces: SqlPieces = {
  id: (...path) => {
    if (path.some((name) => name.includes("\0")))
      throw new IcebergError("query-failed", "a name in SQL has a NUL in it");
    return piece([path.map(quotedName).join(".")], []);
  },
  join: (pieces: readonly InSql[], separator = piece([", "], [])) => {
    const values = pieces.flatMap((p, i) => (i === 0 ? [p] : [separator, p]));
    return piece(["", ...values.map(() => "")], values);
  },
};

/** Makes a piece of SQL, to put into queries: `` sql`day = ${day}` ``. `engine.sql` makes a query. */
export const sql: SqlBuilder = Object.assign(
  (texts: TemplateStringsArray, ...values: readonly unknown[]) => piece(texts, values),
  sqlPieces,
);

/** The type that users see has no members, so that nothing but this module makes one. */
function piece(texts: readonly string[], values: readonly unknown[]): Sql {
  return new SqlFragment(texts, values) as unknown as Sql;
}
