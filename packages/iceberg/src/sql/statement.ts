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
  const { count } = await connection.extractStatements(text);
  for (const inBrackets of [text, text.replace(END, "")])
    if (await isQuery(connection, inBrackets))
      // of a query that pivots DuckDB makes several statements, but it may stand in brackets
      return count === 1 ? inBrackets : `FROM (${inBrackets}\n)`;
  if (count === 1) return text;
  throw new IcebergError("query-failed", "SQL takes one statement, and this is several: write a query for each");
}

async function isQuery(connection: DuckDBConnection, text: string): Promise<boolean> {
  try {
    return (await connection.extractStatements(`FROM (${text}\n)`)).count >= 1;
  } catch {
    return false;
  }
}
