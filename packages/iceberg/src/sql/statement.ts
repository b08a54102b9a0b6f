/** Whether a text is one statement. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { IcebergError } from "../errors.ts";

/** A semicolon at the end, and comments after it. */
const END = /;(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/;

/**
 * A text of one statement, in the form that may stand in brackets if it may at all.
 * @throws IcebergError `query-failed` if it is none or several: of several, DuckDB would give the last one's rows.
 */
export async function oneStatement(connection: DuckDBConnection, text: string): Promise<string> {
  if (/^[\s;]*$/.test(text)) throw new IcebergError("query-failed", "SQL has no statement");
  if (!/;|pivot/i.test(text)) return text; // which is one in any case: no round is spent on asking
  const { count } = await connection.extractStatements(text);
  for (const inBrackets of [text, text.replace(END, "")])
    if ((await countInBrackets(connection, inBrackets)) >= 1)
      // of a query that pivots DuckDB makes several statements, but it may stand in brackets
      return count === 1 ? inBrackets : `FROM (${inBrackets}\n)`;
  if (count === 1) return text;
  throw new IcebergError("query-failed", "SQL takes one statement, and this is several: write a query for each");
}

/** How many statements DuckDB makes of a query in brackets: 0 if it can't stand in them. */
async function countInBrackets(connection: DuckDBConnection, text: string): Promise<number> {
  try {
    return (await connection.extractStatements(`FROM (${text}\n)`)).count;
  } catch {
    return 0;
  }
}
