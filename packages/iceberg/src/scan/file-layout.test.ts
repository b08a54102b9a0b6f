import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, expect, it, vi } from "vitest";
import { Engine } from "../engine/engine.ts";
import { layoutsOf } from "./file-layout.ts";

const folder = await mkdtemp(path.join(tmpdir(), "iceberg-layouts-"));
const engine = new Engine();
const session = await engine.open();
afterAll(async () => {
  session[Symbol.dispose]();
  await engine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A value of each type that tables have. */
const OF_TABLES = [
  "true",
  "1::int",
  "1::bigint",
  "1::float",
  "1::double",
  "1::decimal(4, 1)",
  "0.5::decimal(9, 9)",
  "1::decimal(18, 0)",
  "1::decimal(38, 2)",
  "date '2020-01-01'",
  "time '01:00:00'",
  "timestamp '2020-01-01'",
  "timestamptz '2020-01-01'",
  "'2020-01-01'::timestamp_ns",
  "uuid()",
  "'x'",
  "'x'::blob",
  "[1, 2]",
  "map {'a': 1}",
  "{'x': 1, 'Y z': [{'q': 1.5}]}",
];
/** Of types that tables don't have, or not alike. */
const OTHERS = [
  "1::tinyint",
  "1::smallint",
  "1::utinyint",
  "1::usmallint",
  "1::uinteger",
  "1::ubigint",
  "'2020-01-01'::timestamp_ms",
  "time_ns '01:00:00'",
  "interval 1 day",
  "'{}'::json",
  "'a'::enum('a')",
  "1::hugeint",
];

async function written(name: string, select: string, options = ""): Promise<string> {
  const file = path.join(folder, `${name}.parquet`);
  await session.connection.run(`COPY (SELECT ${select}) TO '${file}' (FORMAT parquet${options})`);
  return file;
}

/** Copies of a file, so many that DuckDB is asked for their columns. */
async function copies(file: string): Promise<readonly string[]> {
  const files = Array.from({ length: 5 }, (_, i) => file.replace(/parquet$/, `copy${i}.parquet`));
  for (const copy of files) await copyFile(file, copy);
  return files;
}

function queries(connection: DuckDBConnection) {
  return vi.spyOn(connection, "runAndReadAll").mockClear();
}

it("has each type of DuckDB's as DuckDB has it, whichever of the two reads the footer", async () => {
  for (const [i, value] of [...OF_TABLES, ...OTHERS].entries()) {
    const file = await written(`type${i}`, `${value} AS a, 1 AS "other"`);
    const [here] = (await layoutsOf(session.connection, [file])).values();
    const [, one, other] = (await layoutsOf(session.connection, await copies(file))).values();
    expect(here, value).toBe(one);
    expect(other).toBe(one);
  }
});

it("has field ids, also within, whichever of the two reads the footer", async () => {
  const ids = `, FIELD_IDS {a: 5, b: {__duckdb_field_id: 6, element: {__duckdb_field_id: 7, c: 8}}}`;
  const file = await written("ids", "1 AS a, [{'c': 1}] AS b", ids);
  const [here] = (await layoutsOf(session.connection, [file])).values();
  expect(here).toEqual((await layoutsOf(session.connection, await copies(file))).values().next().value);
  expect(here!.map(({ id }) => id)).toEqual([5, 6]);
  expect(here![1]!.fields[0]!.fields[0]!.id).toBe(8);
});

it("asks DuckDB nothing about a few files of the types of tables", async () => {
  const ofTables = OF_TABLES.map((value, i) => `${value} AS c${i}`).join(", ");
  const files = [await written("few0", ofTables), await written("few1", ofTables)];
  const asked = queries(session.connection);
  const layouts = await layoutsOf(session.connection, files);
  expect(asked).not.toHaveBeenCalled();
  expect(layouts.get(files[0]!)).toBe(layouts.get(files[1]!));
});

it("asks DuckDB once about many files, and about each once", async () => {
  const files = await copies(await written("many", "1 AS a"));
  const asked = queries(session.connection);
  await layoutsOf(session.connection, files);
  await layoutsOf(session.connection, files);
  expect(asked).toHaveBeenCalledTimes(1);
});

it("has columns as another writer has them", async () => {
  const filename = path.join(folder, "hyparquet.parquet");
  const columnData = [
    { name: "s", data: ["x"], type: "STRING" as const },
    { name: "t", data: [new Date(0)], type: "TIMESTAMP" as const },
    { name: "j", data: [{ a: 1 }], type: "JSON" as const },
  ];
  parquetWriteFile({ filename, columnData });
  const [here] = (await layoutsOf(session.connection, [filename])).values();
  expect(here).toBe((await layoutsOf(session.connection, await copies(filename))).values().next().value);
});

it("leaves it to DuckDB to say what is wrong with a file", async () => {
  const file = await written("cut", "1 AS a");
  await truncate(file, 100);
  await expect(layoutsOf(session.connection, [file])).rejects.toThrow(/No magic bytes|too small|PAR1/i);
  await expect(layoutsOf(session.connection, [path.join(folder, "none.parquet")])).rejects.toThrow(/No files found/);
});

it("sees a schema with a wrong bit as DuckDB does", async () => {
  const bytes = await readFile(
    await written("bits", "1 AS a, 'x' AS b, [1] AS l, 1.5::decimal(9, 2) AS d", ", FIELD_IDS {a: 1}"),
  );
  const from = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const differing: number[] = [];
  for (let i = from; i < from + 120; i++) {
    const file = path.join(folder, `bit${i}.parquet`);
    // the lowest: it makes an integer one of another size, which has the same bytes
    await writeFile(file, bytes.with(i, bytes[i]! ^ 1));
    const asked = async (files: readonly string[]) => await layoutsOf(session.connection, files).catch(() => undefined);
    const here = await asked([file]);
    if (here === undefined) continue;
    const there = await asked(await copies(file));
    if (there !== undefined && here.get(file) !== [...there.values()][0]) differing.push(i - from);
  }
  expect(differing).toEqual([]);
});
