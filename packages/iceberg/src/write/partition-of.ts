/** The partition of a file all of whose rows are in one. */
import type { DuckDBBlobValue, DuckDBConnection } from "@duckdb/node-api";
import { IcebergError } from "../errors.ts";
import { applyTransform } from "../partition/apply.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import { transformText } from "../partition/transform.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { compareValues } from "../values/compare.ts";
import { toPrimitive } from "../values/to-value.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { boundsOf, nullCountOf } from "./column-metrics.ts";
import { placeSql, parquetRows } from "./file-sql.ts";
import type { LeafColumn } from "./footer.ts";
import type { WrittenTable } from "./written-table.ts";

/** The values of a file's partition: what the transforms make of any of its rows. Footers have one, save of floats and of long texts. */
export async function partitionOf(
  connection: DuckDBConnection,
  path: string,
  { partitionFields, columns }: WrittenTable,
  leaves: ReadonlyMap<number, LeafColumn>,
): Promise<readonly (PrimitiveValue | null)[]> {
  const values: (PrimitiveValue | null)[] = [];
  for (const { transform, sourceId, sourceType } of partitionFields) {
    const leaf = leaves.get(sourceId);
    if (transform.kind === "void" || leaf === undefined) values.push(null);
    else {
      const column = placeSql(columns.get(sourceId)!);
      const value = footerSample(leaf, sourceType) ?? (await firstValue(connection, path, column, sourceType));
      values.push(applyTransform(transform, sourceType, value === ALL_NULL ? null : value));
    }
  }
  return values;
}

const ALL_NULL = Symbol("all null");

/** A value that a column has, as its footer says; undefined if it may not be one. */
function footerSample(leaf: LeafColumn, type: PrimitiveType): PrimitiveValue | typeof ALL_NULL | undefined {
  const rows = leaf.chunks.reduce((sum, c) => sum + c.valueCount, 0);
  if (nullCountOf(leaf) === rows) return ALL_NULL;
  if (type.kind === "float" || type.kind === "double" || leaf.chunks.some((c) => !c.isExact)) return undefined;
  return boundsOf(leaf, type, undefined)?.lowest;
}

async function firstValue(
  connection: DuckDBConnection,
  path: string,
  column: string,
  type: PrimitiveType,
): Promise<PrimitiveValue | typeof ALL_NULL> {
  const hasForm = ["float", "double", "string", "fixed", "binary"].includes(type.kind);
  const selected = hasForm ? column : `CAST(${column} AS VARCHAR)`;
  const reader = await connection.runAndReadAll(`SELECT ${selected} FROM ${parquetRows(path)} LIMIT 1`);
  const value = reader.getRows()[0]![0] ?? null;
  if (value === null) return ALL_NULL;
  return toPrimitive(
    type,
    type.kind === "fixed" || type.kind === "binary" ? (value as DuckDBBlobValue).bytes : value,
    column,
  );
}

/**
 * The partition of a file of whose rows only the footer is known, if it can be told that all are in one.
 * @throws IcebergError `invalid-file` if they may be in several.
 */
export function inferredPartition(
  fields: readonly TypedPartitionField[],
  leaves: ReadonlyMap<number, LeafColumn>,
  uri: string,
): readonly (PrimitiveValue | null)[] {
  return fields.map(({ name, transform, sourceId, sourceType }) => {
    const leaf = leaves.get(sourceId);
    if (transform.kind === "void" || leaf === undefined) return null;
    const rows = leaf.chunks.reduce((sum, c) => sum + c.valueCount, 0);
    const nulls = nullCountOf(leaf);
    if (nulls === rows) return null;
    const bounds = boundsOf(leaf, sourceType, undefined);
    const [low, high] = [bounds?.lowest, bounds?.highest].map((v) =>
      v === undefined ? undefined : applyTransform(transform, sourceType, v),
    );
    const isMonotonic = transform.kind !== "bucket" || compareValues(bounds?.lowest ?? 0, bounds?.highest ?? 1) === 0;
    if (nulls === 0 && low !== undefined && high !== undefined && isMonotonic && compareValues(low!, high!) === 0)
      return low;
    throw new IcebergError(
      "invalid-file",
      `which ${transformText(transform)} partition of ${name} ${uri} is in can't be told from its footer: give the partition`,
    );
  });
}
