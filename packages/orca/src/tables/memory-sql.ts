/** SQL over tables in memory, in DuckDB: loaded when the first query runs, since it takes longer than all else at start-up. */
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import type { Column, PlainType } from "../core/datasets/column.ts";
import { OrcaError } from "../core/errors.ts";
import { Day } from "../core/keys/day.ts";
import { SqlFragment } from "../core/sql/fragment.ts";
import type { Row } from "../core/sql/relation.ts";
import { duckType, fromDuck, toDuck, type Duck } from "./duck-values.ts";
import { MemoryQuery, MemoryScan, type Held } from "./memory-relation.ts";
import type { TablesUser } from "./step-tables.ts";

const INTERRUPT_MS = 10;

/** The SQL engine of a run's tables in memory. */
export class MemorySql implements Disposable {
  #engine: Promise<{ readonly duck: Duck; readonly instance: DuckDBInstance }> | undefined;

  /**
   * Runs a query on a connection of its own, so that queries of different steps don't see each other's tables. It is interrupted when the
   * signal is aborted: DuckDB's threads would hold the process until it is done.
   */
  async query(fragment: SqlFragment, { signal }: Pick<TablesUser, "signal">): Promise<Row[]> {
    const { duck, instance } = await (this.#engine ??= start());
    signal.throwIfAborted();
    const connection = await instance.connect();
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      // again and again: between two statements there is nothing to interrupt
      interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_MS);
      connection.interrupt();
    };
    signal.addEventListener("abort", interrupt);
    try {
      await connection.run("SET TimeZone = 'UTC'");
      const { text, values, tables } = written(fragment, duck);
      for (const [i, held] of tables.entries()) await fill(connection, tableName(i), held, duck);
      const result = await connection.run(text, values);
      const names = result.deduplicatedColumnNames();
      const types = result.columnTypes();
      const rows = await result.getRows();
      signal.throwIfAborted();
      return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, fromDuck(row[i]!, types[i]!, duck)])));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof OrcaError) throw error;
      throw new OrcaError("sql-misfit", `SQL failed: ${sentenceOf(error as Error)}`, { cause: error });
    } finally {
      signal.removeEventListener("abort", interrupt);
      clearInterval(interrupting);
      connection.closeSync();
    }
  }

  [Symbol.dispose](): void {
    void this.#engine?.then(({ instance }) => instance.closeSync());
    this.#engine = undefined;
  }
}

async function start(): Promise<{ readonly duck: Duck; readonly instance: DuckDBInstance }> {
  const duck = await import("@duckdb/node-api");
  const instance = await duck.DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  return { duck, instance };
}

/** What DuckDB says, without the layers that it went through and the drawing of where in the text it is. */
function sentenceOf({ message }: Error): string {
  return message
    .replace(/^Failed to \w+ statements?: /, "")
    .split(/\n\s*LINE \d+:/)[0]!
    .trim();
}

/** A query's text, with a parameter for each value and a name for each table. */
function written(
  fragment: SqlFragment,
  duck: Duck,
): { readonly text: string; readonly values: DuckDBValue[]; readonly tables: readonly Held[] } {
  const values: DuckDBValue[] = [];
  const tables: Held[] = [];
  const textOf = (f: SqlFragment): string =>
    f.texts.map((text, i) => (i < f.values.length ? text + placeOf(f.values[i]) : text)).join("");
  const placeOf = (v: unknown): string => {
    if (v instanceof SqlFragment) return textOf(v);
    if (v instanceof MemoryQuery) return `(${textOf(v.fragment)})`;
    if (v instanceof MemoryScan) return tableName(tables.push(v.held()) - 1);
    return `$${values.push(parameterOf(v, duck))}`;
  };
  return { text: textOf(fragment), values, tables };
}

/** Not a name that a query would give to a table of its own, which would hide this one. */
function tableName(index: number): string {
  return `orca_scan_${index}`;
}

function parameterOf(v: unknown, duck: Duck): DuckDBValue {
  if (Array.isArray(v)) return duck.listValue(v.map((x) => parameterOf(x, duck)));
  if (v instanceof Date) return new duck.DuckDBTimestampTZValue(BigInt(v.getTime()) * 1000n);
  if (v instanceof Uint8Array) return new duck.DuckDBBlobValue(v);
  return v as DuckDBValue; // checkInSql let nothing else through
}

async function fill(connection: DuckDBConnection, table: string, { columns, rows }: Held, duck: Duck): Promise<void> {
  const all = columns ?? guessedColumns(rows);
  const quoted = all.map((c) => `"${c.name.replaceAll('"', '""')}" ${duckType(c.type)}`);
  await connection.run(`CREATE TEMP TABLE ${table} (${quoted.join(", ")})`);
  const appender = await connection.createAppender(table);
  const types = all.map((_, i) => appender.columnType(i));
  for (const row of rows) {
    all.forEach((c, i) => {
      const v = toDuck(c, row[c.name], duck);
      if (v === null) appender.appendNull();
      else appender.appendValue(v, types[i]);
    });
    appender.endRow();
  }
  appender.closeSync();
}

/** The columns of a table known by its name alone, by their values. */
function guessedColumns(rows: readonly Row[]): readonly Column[] {
  const names = [...new Set(rows.flatMap((r) => Object.keys(r)))];
  if (names.length === 0)
    throw new OrcaError("sql-misfit", "a table in memory that has no rows has no columns: give it as a dataset");
  return names.map((name) => {
    const values = rows.map((r) => r[name]).filter((v) => v !== null && v !== undefined);
    const [type] = values.length === 0 ? ["string" as const] : (GUESSES.find(([, holds]) => values.every(holds)) ?? []);
    if (type === undefined)
      throw new OrcaError(
        "sql-misfit",
        `column ${name} of a table in memory holds values of several types, or none of a plain one: give it as a dataset`,
      );
    return { name, type: { type }, nullable: true };
  });
}

/** The first that holds all of a column's values; text, if it has none. */
const GUESSES: readonly (readonly [PlainType, (v: unknown) => boolean])[] = [
  ["date", (v) => Day.is(v)],
  ["string", (v) => typeof v === "string"],
  ["long", (v) => typeof v === "bigint"],
  ["double", (v) => typeof v === "number"],
  ["boolean", (v) => typeof v === "boolean"],
  ["timestamptz", (v) => v instanceof Date],
  ["binary", (v) => v instanceof Uint8Array],
];
