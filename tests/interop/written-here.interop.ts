/** Tables that are written here, by every other reader. */
import { type CreateTableOptions, type JsonObject, openCatalog, parseSchema, type Table } from "@orcajs/iceberg";
import { beforeAll, describe, it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS, asByPyIceberg } from "./all-types.ts";
import { rowOf } from "./canonical.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import { expectRows } from "./tables-here.ts";
import { transformsOf } from "./transforms.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();
const { fields } = parseSchema(ALL_TYPES);
const rows = ALL_TYPES_ROWS.map((row) => rowOf(fields, row));

interface Written {
  readonly name: string;
  readonly metadata: string;
  readonly rows: readonly JsonObject[];
}
const tables: Written[] = [];

beforeAll(async () => {
  await using catalog = openCatalog(folder);
  await catalog.createNamespace("lake");
  const write = async (
    name: string,
    options: CreateTableOptions,
    change: (table: Table) => Promise<void>,
    kept = rows,
  ) => {
    const table = await catalog.createTable(`lake.t${tables.length}`, { fields, ...options });
    await change(table);
    const expected = ALL_TYPES_ROWS.filter((_, i) => kept.includes(rows[i]!));
    tables.push({ name, metadata: table.state.metadataLocation, rows: expected });
  };
  const appendTwice = async (table: Table) => {
    await table.append(rows.slice(0, 4));
    await table.append(rows.slice(4));
  };
  await write("all types in version 1", { formatVersion: 1 }, appendTwice);
  await write("all types in version 2", { formatVersion: 2 }, appendTwice);
  await write("sorted", { sortBy: ["l"] }, appendTwice);
  for (const { column, transform } of transformsOf(fields))
    await write(
      `by ${transform} of ${column.name}`,
      { partitionBy: [{ column: column.name, transform }] },
      appendTwice,
    );
});

describe("read by", () => {
  it("PyIceberg", () => {
    const read = python(
      "read.py",
      [],
      tables.map(({ metadata }) => ({ metadata })),
    ) as unknown as JsonObject[][];
    for (const [i, table] of tables.entries()) expectRows(fields, read[i]!, table.rows.map(asByPyIceberg));
  });

  it.skipIf(!isJavaReady())("Java", () => {
    const read = java(
      "read",
      tables.map(({ metadata }) => ({ metadata })),
    ) as unknown as JsonObject[][];
    for (const [i, table] of tables.entries()) expectRows(fields, read[i]!, table.rows);
  });

  it("DuckDB, of the Parquet files themselves", () => {
    const read = python(
      "read_parquet.py",
      [],
      tables.map(({ metadata }) => ({ metadata })),
    ) as unknown as JsonObject[][];
    for (const [i, table] of tables.entries()) expectRows(fields, read[i]!, table.rows);
  });
});
