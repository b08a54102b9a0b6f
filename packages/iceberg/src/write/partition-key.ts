/** Which partition rows are in, in SQL: only so far that rows of one partition have one text. Its values are then told by `applyTransform` of any row. */
import type { DuckDBBlobValue, DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { placeSql } from "./file-sql.ts";
import { murmur3 } from "../partition/murmur3.ts";
import { hashValue } from "../partition/hash.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { integerBytes } from "../values/bytes.ts";
import type { WrittenTable } from "./written-table.ts";

/** An expression for the key of a row's partition, over the table's columns. */
export function partitionKeySql({ partitionFields, columns }: WrittenTable): string {
  if (partitionFields.length === 0) return "''";
  const parts = partitionFields.map((field) => {
    const place = columns.get(field.sourceId);
    // '~' is in no key of a value
    return place === undefined ? "'~'" : `coalesce(${keyOf(field, placeSql(place))}, '~')`;
  });
  return parts.join(" || '/' || ");
}

/** The bucket of a value as `applyTransform` has it. */
export function bucketSql(type: PrimitiveType, column: string, buckets: number): string {
  return `(${hashSql(type, column)} & 2147483647) % ${buckets}`;
}

/** The key of one field; keys are short, as they name folders for a while. */
function keyOf({ transform, sourceType: type }: TypedPartitionField, column: string): string {
  switch (transform.kind) {
    case "void":
    case "unknown":
      return "NULL";
    case "identity":
      return identityKey(type, column);
    case "bucket":
      return text(bucketSql(type, column, transform.buckets));
    case "truncate":
      return truncateKey(type, column, transform.width);
    case "year":
    case "month": {
      const date = dateOf(type, column);
      const months = transform.kind === "year" ? `year(${date})` : `year(${date}) * 12 + month(${date})`;
      // the outermost values are infinite to DuckDB, and are in no year
      return `coalesce(${text(months)}, ${text(column)})`;
    }
    case "day":
      return text(dateOf(type, column));
    case "hour":
      return text(floorDivide(unitsOf(type, column), type.kind.endsWith("_ns") ? "3600000000000" : "3600000000"));
    default:
      return transform satisfies never;
  }
}

function identityKey({ kind }: PrimitiveType, column: string): string {
  switch (kind) {
    case "string":
      return `md5(${column})`;
    case "fixed":
    case "binary":
      return `md5(hex(${column}))`;
    default:
      return text(column);
  }
}

function truncateKey({ kind }: PrimitiveType, column: string, width: number): string {
  switch (kind) {
    case "string":
      return `md5(substring(${column}, 1, ${width}))`;
    case "binary":
      return `md5(left(hex(${column}), ${width * 2}))`;
    case "decimal":
      return text(floorDivide(unscaledOf(column), String(width)));
    default:
      return text(floorDivide(`CAST(${column} AS HUGEINT)`, String(width)));
  }
}

function text(sql: string): string {
  return `CAST(${sql} AS VARCHAR)`;
}

/** `//` rounds to zero. */
function floorDivide(n: string, by: string): string {
  return `((${n}) // ${by} - CASE WHEN (${n}) % ${by} < 0 THEN 1 ELSE 0 END)`;
}

function unscaledOf(column: string): string {
  return `CAST(replace(CAST(${column} AS VARCHAR), '.', '') AS HUGEINT)`;
}

function unitsOf({ kind }: PrimitiveType, column: string): string {
  return kind.endsWith("_ns") ? `epoch_ns(${column})` : `epoch_us(${column})`;
}

/** The date of a date or timestamp, in UTC. */
function dateOf({ kind }: PrimitiveType, column: string): string {
  switch (kind) {
    case "date":
      return column;
    case "timestamptz":
      return `CAST(make_timestamp(epoch_us(${column})) AS DATE)`;
    case "timestamp_ns":
      // a cast rounds to zero, so that the last microsecond of 1969 would be in 1970
      return `CAST(make_timestamp(CAST(${floorDivide(`epoch_ns(${column})`, "1000")} AS BIGINT)) AS DATE)`;
    default:
      return `CAST(${column} AS DATE)`;
  }
}

const HASH_LONG = "iceberg_hash_long";
const HASH_BYTES = "iceberg_hash_bytes";
const HASH_INTEGER = "iceberg_hash_integer";

/** The hash of a value (Appendix B), by functions that `registerHashes` makes: DuckDB has none such. */
function hashSql({ kind }: PrimitiveType, column: string): string {
  switch (kind) {
    case "int":
    case "long":
      return `${HASH_LONG}(CAST(${column} AS BIGINT))`;
    case "date":
      return `${HASH_LONG}(CAST(${column} - DATE '1970-01-01' AS BIGINT))`;
    case "time":
      return `${HASH_LONG}(epoch_us(${column}))`;
    case "timestamp":
    case "timestamptz":
      return `${HASH_LONG}(epoch_us(${column}))`;
    case "timestamp_ns":
    case "timestamptz_ns":
      return `${HASH_LONG}(CAST(${floorDivide(`epoch_ns(${column})`, "1000")} AS BIGINT))`;
    case "decimal":
      return `${HASH_INTEGER}(${unscaledOf(column)})`;
    case "string":
      return `${HASH_BYTES}(encode(${column}))`;
    case "uuid":
      return `${HASH_BYTES}(from_hex(replace(CAST(${column} AS VARCHAR), '-', '')))`;
    default:
      return `${HASH_BYTES}(${column})`;
  }
}

/** Makes the functions of `hashSql`. They run on JavaScript's thread: 3,000,000 different values take 0.6 s, as they do in plain SQL. */
export async function registerHashes(connection: DuckDBConnection): Promise<void> {
  const { BIGINT, BLOB, DuckDBScalarFunction, HUGEINT, INTEGER } = await import("@duckdb/node-api");
  const register = (name: string, type: DuckDBType, hash: (value: DuckDBValue) => number) => {
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        returnType: INTEGER,
        parameterTypes: [type],
        mainFunction: (_info, input, output) => {
          const values = input.getColumnVector(0);
          for (let row = 0; row < input.rowCount; row++) {
            const value = values.getItem(row);
            output.setItem(row, value === null ? null : hash(value));
          }
          output.flush();
        },
      }),
    );
  };
  register(HASH_LONG, BIGINT, (n) => hashValue({ kind: "long" }, n as bigint));
  register(HASH_INTEGER, HUGEINT, (n) => murmur3(integerBytes(n as bigint)));
  register(HASH_BYTES, BLOB, (blob) => murmur3((blob as DuckDBBlobValue).bytes));
}
