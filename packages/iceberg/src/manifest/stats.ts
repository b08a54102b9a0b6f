/** What manifests say of columns, as filters take it. */
import { IcebergError } from "../errors.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import { type ColumnStats, type StatsOf, statsOfValue } from "../predicate/column-stats.ts";
import { promoted } from "../schema/promote.ts";
import type { FieldPlace } from "../schema/schema.ts";
import { isNested, type PrimitiveType } from "../schema/type.ts";
import { fromBytes } from "../values/binary.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { DataFile, PartitionSummary } from "./data-file.ts";

const NOTHING_KNOWN: ColumnStats = {};

/**
 * The columns of a file: of its counts and bounds, and of its partition's values where the transform is identity.
 *
 * @param columns the schema's, by `fieldsById`.
 * @param fields of the spec that the file was written with.
 */
export function fileStats(
  file: DataFile,
  columns: ReadonlyMap<number, FieldPlace>,
  fields: readonly TypedPartitionField[],
): StatsOf {
  return (id) => {
    const type = columns.get(id)?.field.type;
    if (type === undefined || isNested(type)) return NOTHING_KNOWN;
    const i = fields.findIndex((f) => f.sourceId === id && f.transform.kind === "identity");
    return i === -1 ? columnStats(file, id, type) : statsOfValue(promoted(type, file.partition[i] ?? null));
  };
}

/** A file's partition, by partition field ids. */
export function partitionStats(
  partition: readonly (PrimitiveValue | null)[],
  fields: readonly TypedPartitionField[],
): StatsOf {
  return (id) => {
    const i = fields.findIndex((f) => f.fieldId === id);
    return i === -1 ? NOTHING_KNOWN : statsOfValue(promoted(fields[i]!.type, partition[i] ?? null));
  };
}

/** The partitions of a manifest's files, by partition field ids. */
export function manifestStats(
  summaries: readonly PartitionSummary[] | undefined,
  fields: readonly TypedPartitionField[],
): StatsOf {
  return (id) => {
    const i = fields.findIndex((f) => f.fieldId === id);
    const summary = summaries?.[i];
    if (summary === undefined) return NOTHING_KNOWN;
    const { containsNull, containsNaN, lower, upper } = summary;
    const { type } = fields[i]!;
    // the reference implementation has UUIDs in the order of signed integers here, not of their bytes: between such bounds is not what is below and above
    const isOrdered = type.kind !== "uuid";
    return {
      hasNull: containsNull,
      hasNaN: containsNaN,
      // without a bound all are null or NaN, unless the summary says that there are neither: then it isn't to be trusted
      hasValue: lower !== undefined || (containsNull || containsNaN === true ? false : undefined),
      lower: isOrdered ? boundValue(type, lower) : undefined,
      upper: isOrdered ? boundValue(type, upper) : undefined,
    };
  };
}

function columnStats(file: DataFile, id: number, type: PrimitiveType): ColumnStats {
  if (file.recordCount === 0) return { hasNull: false, hasNaN: false, hasValue: false };
  const [values, nulls, nans] = [known(file.valueCounts, id), known(file.nullCounts, id), known(file.nanCounts, id)];
  const others = values === undefined || nulls === undefined ? undefined : values - nulls;
  const canBeNaN = type.kind === "float" || type.kind === "double";
  return {
    hasNull: nulls === undefined ? undefined : nulls > 0,
    hasNaN: others === 0 ? false : nans === undefined ? undefined : nans > 0,
    hasValue: hasValue(others, canBeNaN ? nans : 0),
    lower: boundValue(type, file.lowerBounds?.get(id)),
    upper: boundValue(type, file.upperBounds?.get(id)),
  };
}

/** Whether some of the values that aren't null aren't NaN either. */
function hasValue(others: number | undefined, nans: number | undefined): boolean | undefined {
  if (others === undefined) return undefined;
  if (others === 0) return false;
  return nans === undefined ? undefined : others > nans;
}

/** A count that a writer gave; some write -1 for what they don't know. */
function known(counts: ReadonlyMap<number, number> | undefined, id: number): number | undefined {
  const count = counts?.get(id);
  return count === undefined || count < 0 ? undefined : count;
}

/** A bound's value. One that can't be read, or is NaN as old writers had it, says nothing, so that it prunes nothing. */
function boundValue(type: PrimitiveType, bytes: Uint8Array | undefined): PrimitiveValue | undefined {
  if (bytes === undefined) return undefined;
  try {
    const value = fromBytes(type, bytes);
    return Number.isNaN(value) ? undefined : value;
  } catch (error) {
    if (error instanceof IcebergError) return undefined;
    throw error;
  }
}
