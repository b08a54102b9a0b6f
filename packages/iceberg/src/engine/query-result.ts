import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from "@duckdb/node-api";

/** A result, and what its columns are called. */
export interface QueryResult {
  readonly names: readonly string[];
  readonly result: DuckDBResult;
  /** How many rows it has, where it may end without all of them. */
  readonly rowCount: number | undefined;
}

/** The rows of a query, on its connection: in memory as far as DuckDB's limit goes, and in temporary files beyond that. */
const ROWS = '"the rows of a query"';

/** So many rows are read back at once. */
const FEW_ROWS = 8_192;

/**
 * Runs a query to its end, and gives its rows piece by piece. DuckDB's own streamed result isn't used for that: it ends alike at its end and at an
 * error, with rows missing.
 */
export async function resultOf(
  connection: DuckDBConnection,
  text: string,
  duck: typeof import("@duckdb/node-api"),
): Promise<QueryResult> {
  const rowCount = await keptAsNamed(connection, text);
  if (rowCount === undefined) return await resultOfAny(connection, text, duck);
  const result = await readBack(connection, rowCount);
  const names = result.columnNames();
  // of two columns of one name a table has the second with a number, which may also be its own
  const isNumbered = names.some((name) => /[_:]\d+$/.test(name));
  return { names: isNumbered ? await namesOf(connection, text) : names, result, rowCount };
}

/** Keeps the rows of a query, and gives their number; nothing if it isn't one query whose columns a table can have. */
async function keptAsNamed(connection: DuckDBConnection, text: string): Promise<number | undefined> {
  if (/\bpivot\b/i.test(text)) return undefined; // which is several statements
  try {
    return await kept(connection, `FROM (${text}\n)`);
  } catch (error) {
    if (/^(?:Failed to \w+ statements?: )?(?:Parser|Binder|Catalog) Error/.test((error as Error).message))
      return undefined; // nothing was run
    throw error;
  }
}

async function kept(connection: DuckDBConnection, query: string): Promise<number> {
  const made = await connection.run(`CREATE TEMP TABLE ${ROWS} AS ${query}`);
  return Number((await made.fetchChunk())!.getColumnValues(0)[0]);
}

async function readBack(connection: DuckDBConnection, rowCount: number): Promise<DuckDBResult> {
  return rowCount <= FEW_ROWS ? await connection.run(`FROM ${ROWS}`) : await connection.stream(`FROM ${ROWS}`);
}

async function resultOfAny(
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
  const names = namesIn(statement);
  // the query's own names may differ in case alone, which a table's can't
  const columns = names.map((_, i) => `c${i}`).join(", ");
  const rowCount = await kept(connection, `FROM (${text}\n) AS rows(${columns})`);
  return { names: distinct(names), result: await readBack(connection, rowCount), rowCount };
}

async function namesOf(connection: DuckDBConnection, text: string): Promise<readonly string[]> {
  return distinct(namesIn(await connection.prepare(text)));
}

/** The names of a statement's columns; it is of no use after that. */
function namesIn(statement: DuckDBPreparedStatement): readonly string[] {
  const names = Array.from({ length: statement.columnCount }, (_, i) => statement.columnName(i));
  statement.destroySync();
  return names;
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
