/** The columns of Parquet files, as their footers have them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SchemaElement } from "hyparquet";
import { quotedPath } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import { inParallel } from "../in-parallel.ts";
import { columnsOfSchema } from "../parquet/parquet-tree.ts";
import { Kept } from "./kept.ts";
import { type LayoutField, layoutField, type SchemaPart } from "./layout-field.ts";
import { localFooter, partsOf } from "./local-footer.ts";
import { rowsCounted } from "./row-counts.ts";

/** The columns of a file. Files that were written alike share one. */
export type FileLayout = readonly LayoutField[];

/** By path. */
const kept = new Kept<FileLayout>();
/** By the parts of its schema. */
const layouts = new Kept<FileLayout>();

/** The footers of so many files are read here sooner than a query for them has begun. */
const FEW_FILES = 4;

/** Parts of a text that names don't have. */
const BETWEEN_VALUES = "\u001F";
const BETWEEN_PARTS = "\u001E";

/**
 * The layout of each of some files on this machine. One query for many: 0.1 ms a file, where reading each footer here takes 0.9 ms.
 *
 * @throws IcebergError `file-missing`, with the file; DuckDB's error for a file that isn't Parquet.
 */
export async function layoutsOf(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileLayout>> {
  const found = new Map<string, FileLayout>();
  const know = (path: string, layout: FileLayout) => {
    found.set(path, layout);
    kept.set(path, layout);
  };
  const unknown = () => paths.filter((path) => !found.has(path));
  for (const path of paths) {
    const layout = kept.get(path);
    if (layout !== undefined) found.set(path, layout);
  }
  const few = unknown();
  if (few.length <= FEW_FILES) await readFooters(few, know);
  const others = unknown();
  if (others.length === 0) return found;
  for (const [text, files] of await textsOf(connection, others)) {
    const layout = layoutOf(partsIn(text));
    for (const file of files) know(file, layout);
  }
  const [missing] = unknown();
  if (missing !== undefined) throw new IcebergError("file-missing", `there is no file ${missing}`);
  return found;
}

/** Is told what a file has that was written just now: who reads it next in this process needn't look. */
export function knowWritten(path: string, schema: readonly SchemaElement[], rowCount: number): void {
  const parts = partsOf(schema);
  if (parts === undefined) return;
  kept.set(path, layoutOf(parts));
  rowsCounted(path, rowCount);
}

async function readFooters(paths: readonly string[], know: (path: string, layout: FileLayout) => void): Promise<void> {
  await inParallel(FEW_FILES, paths, async (path) => {
    const footer = await localFooter(path);
    if (footer === undefined) return;
    know(path, layoutOf(footer.parts));
    rowsCounted(path, footer.rowCount);
  });
}

/** What `parquet_schema` has of each column, in the order of `partsIn`. */
const VALUES = [
  "name",
  "type",
  "type_length",
  "repetition_type",
  "num_children",
  "converted_type",
  "logical_type",
  "field_id",
  "duckdb_type",
];

/** The files of each layout. */
type FilesByText = Iterable<readonly [text: string, files: readonly string[]]>;

async function textsOf(connection: DuckDBConnection, paths: readonly string[]): Promise<FilesByText> {
  const part = `concat_ws(chr(31), ${VALUES.map((column) => `coalesce(${column}::VARCHAR, '')`).join(", ")})`;
  const reader = await connection.runAndReadAll(
    `WITH layouts AS (
       SELECT file_name, string_agg(${part}, chr(30) ORDER BY column_id) AS layout
       FROM parquet_schema([${paths.map(quotedPath).join(", ")}]) GROUP BY file_name)
     SELECT layout, list(file_name) FROM layouts GROUP BY layout`,
  );
  return reader.getRowsJS() as [string, string[]][];
}

function partsIn(text: string): readonly SchemaPart[] {
  return text.split(BETWEEN_PARTS).map((part) => {
    const [name, physical, length, repetition, children, converted, logical, id, duckType] = part.split(BETWEEN_VALUES);
    return {
      name: name!,
      physical: physical!,
      length: Number(length),
      isRepeated: repetition === "REPEATED",
      childCount: Number(children),
      annotation: children === "" ? "" : converted! || logical!,
      id: id === "" ? undefined : Number(id),
      duckType: duckType!,
    };
  });
}

function layoutOf(parts: readonly SchemaPart[]): FileLayout {
  const text = JSON.stringify(parts);
  const known = layouts.get(text);
  if (known !== undefined) return known;
  const layout = columnsOfSchema(parts).map(layoutField);
  layouts.set(text, layout);
  return layout;
}
