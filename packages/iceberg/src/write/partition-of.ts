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
import type { LeafColumn } from "../parquet/footer.ts";
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
  return fields.map((field) => {
    const { name, transform, sourceId } = field;
    const leaf = leaves.get(sourceId);
    if (transform.kind === "void" || leaf === undefined) return null;
    const { rows, nulls, low, high } = rangeOf(leaf, field);
    if (nulls === rows) return null;
    if (nulls === 0 && low !== undefined && high !== undefined && compareValues(low, high) === 0) return low;
    throw new IcebergError(
      "invalid-file",
      `which ${transformText(transform)} partition of ${name} ${uri} is in can't be told from its footer: give the partition`,
    );
  });
}

/**
 * Passes if a file may have rows of this partition alone, as far as its footer tells.
 * @throws IcebergError `invalid-file` with the field.
 */
export function checkPartition(
  fields: readonly TypedPartitionField[],
  values: readonly (PrimitiveValue | null)[],
  leaves: ReadonlyMap<number, LeafColumn>,
  uri: string,
): void {
  for (const [i, field] of fields.entries()) {
    const leaf = leaves.get(field.sourceId);
    if (field.transform.kind === "void" || leaf === undefined) continue;
    const value = values[i] ?? null;
    const { rows, nulls, low, high } = rangeOf(leaf, field);
    const hasOthers =
      value === null
        ? nulls !== undefined && nulls < rows
        : (nulls ?? 0) > 0 ||
          (low !== undefined && compareValues(low, value) > 0) ||
          (high !== undefined && compareValues(high, value) < 0) ||
          (!MAY_BE_CUT.has(field.sourceType.kind) &&
            low !== undefined &&
            high !== undefined &&
            compareValues(low, high) !== 0);
    if (hasOthers)
      throw new IcebergError(
        "invalid-file",
        `${uri} has rows that aren't of the partition ${field.name} that it is given`,
      );
  }
}

/** What a footer says of the rows' partitions: the lowest may be lower than any, and the highest higher. */
function rangeOf(leaf: LeafColumn, { transform, sourceType }: TypedPartitionField) {
  const rows = leaf.chunks.reduce((sum, c) => sum + c.valueCount, 0);
  const { lowest, highest } = boundsOf(leaf, sourceType, undefined) ?? {};
  const isOrdered = transform.kind !== "bucket" || isSame(lowest, highest);
  const placed = (v: PrimitiveValue | undefined) =>
    v === undefined || !isOrdered ? undefined : (applyTransform(transform, sourceType, v) ?? undefined);
  return { rows, nulls: nullCountOf(leaf), low: placed(lowest), high: placed(highest) };
}

/** Types whose bounds may be others than values that there are. */
const MAY_BE_CUT: ReadonlySet<string> = new Set(["string", "binary", "float", "double"]);

function isSame(a: PrimitiveValue | undefined, b: PrimitiveValue | undefined): boolean {
  return a !== undefined && b !== undefined && compareValues(a, b) === 0;
}
