import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";

/** A result, and what its columns are called. */
export interface QueryResult {
  readonly names: readonly string[];
  readonly result: DuckDBResult;
  /** How many rows it has, where it may end without all of them. */
  readonly rowCount: number | undefined;
}

/** The rows of a query, on its connection: in memory as far as DuckDB's limit goes, and in temporary files beyond that. */
const ROWS = '"the rows of a query"';

/**
 * Runs a query to its end, and gives its rows piece by piece. DuckDB's own streamed result isn't used for that: it ends alike at its end and at an
 * error, with rows missing.
 */
export async function resultOf(
  connection: DuckDBConnection,
  text: string,
  { StatementType }: typeof import("@duckdb/node-api"),
): Promise<QueryResult> {
  const statements = await connection.extractStatements(text);
  const statement = statements.count === 1 ? await statements.prepare(0) : undefined;
  if (statement?.statementType !== StatementType.SELECT) {
    const result = await connection.run(text); // a pivot is several statements
    return { names: result.deduplicatedColumnNames(), result, rowCount: undefined };
  }
  const names = Array.from({ length: statement.columnCount }, (_, i) => statement.columnName(i));
  statement.destroySync();
  // the query's own names may differ in case alone, which a table's can't
  const columns = names.map((_, i) => `c${i}`).join(", ");
  const made = await connection.runAndReadAll(`CREATE TEMP TABLE ${ROWS} AS FROM (${text}\n) AS rows(${columns})`);
  const rowCount = Number(made.getRows()[0]![0]);
  return { names: distinct(names), result: await connection.stream(`FROM ${ROWS}`), rowCount };
}

/** The names, with a number behind those that are there before. */
function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let one = name;
    for (let n = 1; seen.has(one); n++) one = `${name}:${n}`;
    seen.add(one);
    return one;
  });
}
