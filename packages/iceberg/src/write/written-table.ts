/** What of a table its data files depend on. */
import { IcebergError } from "../errors.ts";
import { partitionFieldsOf } from "../metadata/all-fields.ts";
import { schemaOf, sortOrderOf, specOf, type TableMetadata } from "../metadata/table-metadata.ts";
import { type SortOrder, UNSORTED } from "../partition/sort-order.ts";
import type { PartitionSpec, TypedPartitionField } from "../partition/spec.ts";
import { transformText } from "../partition/transform.ts";
import { type FieldPlace, fieldsById, type Schema } from "../schema/schema.ts";
import { type MetricsMode, metricsModes } from "./metrics-mode.ts";

export interface WrittenTable {
  readonly schema: Schema;
  readonly columns: ReadonlyMap<number, FieldPlace>;
  readonly spec: PartitionSpec;
  readonly partitionFields: readonly TypedPartitionField[];
  /** The one that files are sorted by. */
  readonly sortOrder: SortOrder;
  readonly modes: ReadonlyMap<number, MetricsMode>;
}

/**
 * A table as files are written for it.
 * @throws IcebergError `unsupported` if it has what can't be written.
 */
export function writtenTable(
  metadata: TableMetadata,
  { schemaId, specId }: { readonly schemaId?: number | undefined; readonly specId?: number | undefined },
): WrittenTable {
  const schema = schemaOf(metadata, schemaId);
  const spec = specOf(metadata, specId);
  const ordered = sortOrderOf(metadata);
  const sortOrder = ordered.fields.some((f) => f.transform.kind === "unknown") ? UNSORTED : ordered;
  const columns = fieldsById(schema);
  for (const { field, path } of columns.values())
    if (field.type.kind === "timestamptz_ns")
      throw new IcebergError(
        "unsupported",
        `column ${path.join(".")} is a timestamptz_ns, which can't be written: DuckDB has no nanoseconds with a zone`,
      );
  const unknown = spec.fields.find((f) => f.transform.kind === "unknown");
  if (unknown !== undefined)
    throw new IcebergError(
      "unsupported",
      `partitions by ${transformText(unknown.transform)} can't be written: the transform isn't known`,
    );
  const lower = new Map<string, string>();
  for (const { name } of schema.fields) {
    const other = lower.get(name.toLowerCase());
    if (other !== undefined)
      throw new IcebergError("unsupported", `columns ${other} and ${name} can't be written: DuckDB takes them for one`);
    lower.set(name.toLowerCase(), name);
  }
  const sortedBy = new Set(sortOrder.fields.map((f) => f.sourceId));
  return {
    schema,
    columns,
    spec,
    partitionFields: partitionFieldsOf(metadata, specId, schema),
    sortOrder,
    modes: metricsModes(metadata, schema, sortedBy),
  };
}
