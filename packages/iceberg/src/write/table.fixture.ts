/** Tables to write to, and queries to write. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import type { QuerySource } from "../engine/query-source.ts";
import { TableFiles } from "../files/table-files.ts";
import { newTable, type NewTable } from "../metadata/new-table.ts";
import { parseType } from "../schema/type-json.ts";
import type { Field, PrimitiveType, Type } from "../schema/type.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { WriteContext } from "./write-rows.ts";

/** A table in a folder of its own, which is deleted with all in it. */
export interface TestTable extends WriteContext, AsyncDisposable {
  readonly folder: string;
  /** The rows of files, or of any query over `files`. */
  query(
    files: readonly { readonly file: { readonly path: string } }[],
    sql?: string,
  ): Promise<Record<string, unknown>[]>;
}

export async function testTable(
  fields: readonly Field[],
  options: Partial<NewTable> & { readonly engine?: EngineOptions } = {},
): Promise<TestTable> {
  const folder = await mkdtemp(path.join(tmpdir(), "write-test-"));
  const engine = new Engine({ threads: 2, ...options.engine });
  const files = new TableFiles();
  const metadata = newTable({ location: `${folder}/table`, uuid: randomUUID(), nowMs: 0, ...options, fields });
  return {
    metadata,
    files,
    engine,
    folder,
    query: async (written, sql = "SELECT * FROM files") => {
      const paths = written.map(({ file }) => `'${file.path.replaceAll("'", "''")}'`).join(", ");
      const from = `(SELECT * FROM read_parquet([${paths}], hive_partitioning = false, file_row_number = false))`;
      return await engine.use(undefined, async (connection) => {
        const reader = await connection.runAndReadAll(sql.replace("files", `${from} AS files`));
        return reader.getRowObjectsJS();
      });
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Columns by their names and types; those whose type ends in `!` are required. */
export function columns(types: Readonly<Record<string, Type | string>>): readonly Field[] {
  return Object.entries(types).map(([name, type], i) => ({
    id: i + 1,
    name,
    required: typeof type === "string" && type.endsWith("!"),
    type: typeof type === "string" ? parseType(type.replace("!", "")) : type,
  }));
}

export function sqlSource(text: string): QuerySource {
  return { prepare: async () => ({ text, [Symbol.asyncDispose]: async () => {} }) };
}

/** DuckDB has infinite dates and timestamps where the format has the outermost of them. */
export function isFiniteInDuckDB(type: PrimitiveType, value: PrimitiveValue): boolean {
  if (type.kind === "date") return Math.abs(value as number) < 2 ** 31 - 1;
  if (!type.kind.startsWith("timestamp")) return true;
  return (value as bigint) < 9_223_372_036_854_775_807n && (value as bigint) > -9_223_372_022_400_000_000n;
}
