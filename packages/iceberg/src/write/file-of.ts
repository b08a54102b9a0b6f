/** Files that others wrote, as files of a table. */
import type { Abortable } from "@orcajs/objectstore";
import type { FileOfSpec } from "../commit/file-change.ts";
import { IcebergError } from "../errors.ts";
import { mappingOfTable, NAME_MAPPING_PROPERTY, type NameMapping } from "../schema/name-mapping.ts";
import { type FieldSource, projectFields } from "../schema/projection.ts";
import { toPrimitive } from "../values/to-value.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { columnMetrics, nullCountOf } from "./column-metrics.ts";
import { type LeafColumn, readFooter } from "../parquet/footer.ts";
import { type FileColumn, parquetFields } from "./parquet-fields.ts";
import { checkPartition, inferredPartition } from "./partition-of.ts";
import type { WriteContext } from "./write-rows.ts";
import { type WrittenTable, writtenTable } from "./written-table.ts";

export interface FileOfOptions extends Abortable {
  /** The file's partition, by the names of the partition fields. Default: it is told from the file's bounds. */
  readonly partition?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the table's current one. */
  readonly specId?: number | undefined;
}

/**
 * A Parquet file that is there already, for a commit that adds it: it stays where it is. Its columns are found by their ids, and those without by the
 * table's name mapping; columns that the table doesn't have are left out.
 *
 * @throws IcebergError `invalid-file` if it is no Parquet file, its columns don't fit the table, its partition can't be told, or its rows aren't of the given one; `file-missing`.
 */
export async function fileOf(
  { metadata, files }: Pick<WriteContext, "metadata" | "files">,
  uri: string,
  options: FileOfOptions = {},
): Promise<FileOfSpec> {
  const table = writtenTable(metadata, options);
  const { columns, modes, spec } = table;
  const footer = await readFooter(files, uri, options);
  const mapping = mappingOfTable(metadata);
  const leaves = leavesById(parquetFields(footer, { columns, mapping }), table, mapping, uri);
  const partition = options.partition && givenPartition(options.partition, table, uri);
  if (partition !== undefined) checkPartition(table.partitionFields, partition, leaves, uri);
  return {
    specId: spec.id,
    file: {
      content: "data",
      path: uri,
      format: "parquet",
      partition: partition ?? inferredPartition(table.partitionFields, leaves, uri),
      recordCount: footer.recordCount,
      sizeBytes: footer.sizeBytes,
      ...columnMetrics(leaves, { columns, modes, nans: new Map() }),
      splitOffsets: footer.splitOffsets,
    },
  };
}

/** The columns of the table that a file has, checked to fit. */
function leavesById(
  file: readonly FileColumn[],
  { schema, columns }: WrittenTable,
  mapping: NameMapping,
  uri: string,
): ReadonlyMap<number, LeafColumn> {
  const leaves = new Map<number, LeafColumn>();
  const visit = (source: FieldSource, among: readonly FileColumn[]): void => {
    if (source.from === "constant") return;
    const column = among.find((c) => c.name === source.path.at(-1));
    if (column?.leaf !== undefined) leaves.set(source.field.id, column.leaf);
    for (const part of source.parts) visit(part, column?.fields ?? []);
  };
  for (const source of projected(schema.fields, file, mapping, uri)) visit(source, file);
  if (leaves.size === 0)
    throw new IcebergError(
      "invalid-file",
      `${uri} has none of the table's columns: they are found by field ids, or by names if the table has the property ${NAME_MAPPING_PROPERTY}`,
    );
  for (const [id, leaf] of leaves) {
    const { field, path } = columns.get(id)!;
    const nulls = nullCountOf(leaf) ?? 0;
    if (field.required && !leaf.isRepeated && path.length === 1 && nulls > 0)
      throw new IcebergError(
        "invalid-file",
        `${uri} has ${nulls} ${nulls === 1 ? "null" : "nulls"} in column ${field.name}, which is required`,
      );
  }
  return leaves;
}

function projected(
  fields: WrittenTable["schema"]["fields"],
  file: readonly FileColumn[],
  mapping: NameMapping,
  uri: string,
): readonly FieldSource[] {
  try {
    return projectFields(fields, file, { mapping });
  } catch (error) {
    if (!(error instanceof IcebergError)) throw error;
    throw new IcebergError("invalid-file", `${uri} doesn't fit the table: ${error.message}`, { cause: error });
  }
}

function givenPartition(
  given: Readonly<Record<string, unknown>>,
  { partitionFields }: WrittenTable,
  uri: string,
): readonly (PrimitiveValue | null)[] {
  const names = partitionFields.map((f) => f.name);
  const other = Object.keys(given).find((name) => !names.includes(name));
  const missing = names.find((name) => !Object.hasOwn(given, name));
  if (other !== undefined || missing !== undefined)
    throw new IcebergError(
      "invalid-value",
      `the partition of ${uri} ${other === undefined ? `lacks ${missing}` : `has ${other}`}: the fields are ${names.join(", ") || "none"}`,
    );
  return partitionFields.map(({ name, type }) => {
    const value = given[name] ?? null;
    return value === null ? null : toPrimitive(type, value, `partition field ${name}`);
  });
}
