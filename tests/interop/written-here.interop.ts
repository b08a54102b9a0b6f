/** Tables that are written here, by every other reader. */
import { type Catalog, type CreateTableOptions, type JsonObject, openCatalog, parseSchema } from "@orcajs/iceberg";
import { beforeAll, describe, it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS, asByPyIceberg } from "./all-types.ts";
import { rowOf } from "./canonical.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import {
  REQUIRED_BENEATH_LISTS,
  REQUIRED_BENEATH_LISTS_ROWS,
  REQUIRED_WITHIN,
  REQUIRED_WITHIN_ROWS,
} from "./required-types.ts";
import { expectRows } from "./tables-here.ts";
import { transformsOf } from "./transforms.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();

/** A schema, and rows in the canonical form. */
interface Content {
  readonly schema: JsonObject;
  readonly rows: readonly JsonObject[];
}
const CONTENTS = {
  "all types": { schema: ALL_TYPES, rows: ALL_TYPES_ROWS },
  "required fields within what may be null": { schema: REQUIRED_WITHIN, rows: REQUIRED_WITHIN_ROWS },
  "required fields beneath lists": { schema: REQUIRED_BENEATH_LISTS, rows: REQUIRED_BENEATH_LISTS_ROWS },
} satisfies Record<string, Content>;

/** Without the least int and long: truncated they would be below their types, and are refused. */
const PARTITIONED_ROWS = ALL_TYPES_ROWS.map((row) =>
  row["id"] === 3 ? { ...row, i: -2_147_483_646, l: "-9223372036854775806" } : row,
);

/** It has no Brotli of its own; and in 1.12.0 it reads partitions by a fixed value, as it writes them, with a length before the bytes, which Avro doesn't have. */
const NOT_BY_JAVA = /by brotli$|by identity of fix$/;

interface Written extends Content {
  readonly name: string;
  readonly metadata: string;
}
const tables: Written[] = [];

/** Tables of half a content's rows by rows, and of the others from SQL. */
async function writeTables(
  catalog: Catalog,
  content: Content,
  options: ReadonlyMap<string, Omit<CreateTableOptions, "fields">>,
): Promise<void> {
  const { fields } = parseSchema(content.schema);
  const rows = content.rows.map((row) => rowOf(fields, row));
  const half = Math.floor(rows.length / 2);
  const source = await catalog.createTable(`lake.t${tables.length}_source`, { fields });
  await source.append(rows.slice(half));
  for (const [name, option] of options) {
    const table = await catalog.createTable(`lake.t${tables.length}`, { ...option, fields });
    await table.append(rows.slice(0, half));
    await table.append(table.engine.sql`select * from ${source.scan()}`);
    tables.push({ ...content, name, metadata: table.state.metadataLocation });
  }
}

beforeAll(async () => {
  await using catalog = openCatalog(folder);
  await catalog.createNamespace("lake");
  for (const [name, content] of Object.entries(CONTENTS)) {
    const codecs = ["zstd", "snappy", "gzip", "brotli", "lz4", "uncompressed"].map(
      (codec) => [`${name}, by ${codec}`, { properties: { "write.parquet.compression-codec": codec } }] as const,
    );
    await writeTables(
      catalog,
      content,
      new Map<string, Omit<CreateTableOptions, "fields">>([
        [`${name}, in version 1`, { formatVersion: 1 }],
        [`${name}, in version 2`, { formatVersion: 2 }],
        [`${name}, sorted`, { sortBy: [{ column: "id", direction: "desc" }] }],
        [`${name}, a row a file`, { partitionBy: ["id"] }],
        ...codecs,
      ]),
    );
  }
  const partitioned = transformsOf(parseSchema(ALL_TYPES).fields).map(
    ({ column, transform }) =>
      [`by ${transform} of ${column.name}`, { partitionBy: [{ column: column.name, transform }] }] as const,
  );
  await writeTables(catalog, { schema: ALL_TYPES, rows: PARTITIONED_ROWS }, new Map(partitioned));
});

describe("read by", () => {
  it("PyIceberg", () => {
    const read = rowsOf(tables, (requests) => python("read.py", [], requests));
    for (const [{ name, schema, rows }, found] of read)
      expectRows(parseSchema(schema).fields, found, rows.map(asByPyIceberg), name);
  });

  it.skipIf(!isJavaReady())("Java", () => {
    const readable = tables.filter(({ name }) => !NOT_BY_JAVA.test(name));
    for (const [{ name, schema, rows }, found] of rowsOf(readable, (requests) => java("read", requests)))
      expectRows(parseSchema(schema).fields, found, rows, name);
  });

  it("DuckDB, of the Parquet files themselves", () => {
    const read = rowsOf(tables, (requests) => python("read_parquet.py", [], requests));
    for (const [{ name, schema, rows }, found] of read) expectRows(parseSchema(schema).fields, found, rows, name);
  });
});

/** The tables, each with the rows that are read. */
function rowsOf(
  among: readonly Written[],
  read: (requests: readonly JsonObject[]) => unknown,
): readonly (readonly [Written, readonly JsonObject[]])[] {
  const found = read(among.map(({ metadata }) => ({ metadata }))) as readonly (readonly JsonObject[])[];
  return among.map((table, i) => [table, found[i]!]);
}
