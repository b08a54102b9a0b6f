/** The footers of Parquet files: where row groups are, and what is known of their columns. */
import { parquetMetadata, type FileMetaData, type SchemaElement } from "hyparquet";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import { footerBytes } from "./footer-bytes.ts";

export interface ParquetFooter {
  readonly recordCount: number;
  readonly sizeBytes: number;
  /** Where row groups start, ascending. */
  readonly splitOffsets: readonly number[];
  /** The schema as one list: each part is followed by those within it. */
  readonly schema: readonly SchemaElement[];
  readonly leaves: readonly LeafColumn[];
}

/** A column that has values: of a primitive type. */
export interface LeafColumn {
  readonly element: SchemaElement;
  /** Whether it is in a list or map, or is one. */
  readonly isRepeated: boolean;
  readonly chunks: readonly ColumnChunk[];
}

/** What a footer says of a column in a row group. */
interface ColumnChunk {
  readonly sizeBytes: number;
  readonly valueCount: number;
  readonly nullCount: number | undefined;
  /** As Parquet has them; undefined if it has none. */
  readonly min: Uint8Array | undefined;
  readonly max: Uint8Array | undefined;
  /** Whether the two are values of the column, not cut short. */
  readonly isExact: boolean;
}

/**
 * Reads the footer of a file, with statistics in their raw form: hyparquet's decoded ones lose microseconds and make floats of decimals.
 *
 * @throws IcebergError `invalid-file` if it is no whole Parquet file; `file-missing`.
 */
export async function readFooter(files: TableFiles, uri: string, options: Abortable = {}): Promise<ParquetFooter> {
  const sizeBytes = await files.sizeBytes(uri, options);
  if (sizeBytes === undefined) throw new IcebergError("file-missing", `there is no file ${uri}`);
  const fail = (why: string, cause?: unknown) =>
    new IcebergError("invalid-file", `${uri} can't be read as a Parquet file: ${why}`, { cause });
  const readEnd = (length: number) => files.read(uri, { ...options, range: { suffix: length } });
  const buffer = await footerBytes(sizeBytes, readEnd, fail);
  try {
    const raw = deserializeTCompactProtocol({ view: new DataView(buffer), offset: 0 }) as unknown as RawFooter;
    return { sizeBytes, ...footerOf(parquetMetadata(buffer, { geoparquet: false }), raw) };
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error), error);
  }
}

/** The footer as Thrift has it: row groups, of columns, of metadata, of statistics. */
interface RawFooter {
  readonly field_4: readonly {
    readonly field_1: readonly { readonly field_3?: { readonly field_12?: RawStatistics } }[];
  }[];
}
interface RawStatistics {
  readonly field_3?: bigint;
  readonly field_5?: Uint8Array;
  readonly field_6?: Uint8Array;
  readonly field_7?: boolean;
  readonly field_8?: boolean;
}

function footerOf(metadata: FileMetaData, raw: RawFooter): Omit<ParquetFooter, "sizeBytes"> {
  const leaves = leavesOf(metadata.schema).map(({ element, isRepeated }, i) => {
    const chunks = metadata.row_groups.map((group, g): ColumnChunk => {
      const data = group.columns[i]?.meta_data;
      if (data === undefined) throw new Error("a row group lacks a column");
      const statistics = raw.field_4[g]!.field_1[i]!.field_3?.field_12;
      return {
        sizeBytes: Number(data.total_compressed_size),
        valueCount: Number(data.num_values),
        nullCount: statistics?.field_3 === undefined ? undefined : Number(statistics.field_3),
        max: statistics?.field_5,
        min: statistics?.field_6,
        isExact: statistics?.field_7 !== false && statistics?.field_8 !== false,
      };
    });
    return { element, isRepeated, chunks };
  });
  const starts = metadata.row_groups.map(({ columns }) =>
    Math.min(
      ...columns.flatMap(({ meta_data: data }) =>
        data === undefined
          ? []
          : [data.data_page_offset, data.dictionary_page_offset].map(Number).filter((offset) => offset > 0),
      ),
    ),
  );
  return {
    recordCount: Number(metadata.num_rows),
    splitOffsets: starts.sort((a, b) => a - b),
    schema: metadata.schema,
    leaves,
  };
}

/** The parts of a schema that have values, in the order of a row group's columns. */
function leavesOf(schema: readonly SchemaElement[]): readonly Omit<LeafColumn, "chunks">[] {
  const leaves: Omit<LeafColumn, "chunks">[] = [];
  let next = 0;
  const visit = (isWithinRepeated: boolean): void => {
    const element = schema[next++];
    if (element === undefined) throw new Error("its schema ends within a group");
    const isRepeated = isWithinRepeated || element.repetition_type === "REPEATED";
    const count = element.num_children ?? 0;
    if (count === 0 && element.type !== undefined) leaves.push({ element, isRepeated });
    for (let i = 0; i < count; i++) visit(isRepeated);
  };
  visit(false);
  return leaves;
}
