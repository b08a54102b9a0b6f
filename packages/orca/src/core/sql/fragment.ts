/** Pieces of SQL, put together before they run. */
import type { InSql, Sql, SqlBuilder, SqlPieces } from "./relation.ts";

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

/** `id` and `join`, as `sql` and `ctx.sql` have them. */
export const sqlPieces: SqlPieces = {
  id: (...path) => piece([path.map((p) => `"${p.replaceAll('"', '""')}"`).join(".")], []),
  join: (pieces: readonly InSql[], separator = piece([", "], [])) => {
    const values = pieces.flatMap((p, i) => (i === 0 ? [p] : [separator, p]));
    return piece(["", ...values.map(() => "")], values);
  },
};

/** A piece of SQL: `` sql`day = ${day}` ``. */
export const sql: SqlBuilder = Object.assign(
  (texts: TemplateStringsArray, ...values: readonly unknown[]) => piece(texts, values),
  sqlPieces,
);

/** The type that users see has no members, so that nothing but this module makes one. */
function piece(texts: readonly string[], values: readonly unknown[]): Sql {
  return new SqlFragment(texts, values) as unknown as Sql;
}
