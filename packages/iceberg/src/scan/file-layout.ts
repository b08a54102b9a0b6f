/** The columns of Parquet files, as their footers have them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedPath } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import { type LayoutField, layoutField, type SchemaPart } from "./layout-field.ts";
import { columnsOfSchema } from "./parquet-tree.ts";

/** The columns of a file. Files that were written alike share one. */
export type FileLayout = readonly LayoutField[];

/** How many files' layouts are kept in the process; files never change. */
const KEPT_FILES = 100_000;
const kept = new Map<string, FileLayout>();

/** Parts of a text that names don't have. */
const BETWEEN_VALUES = "\u001F";
const BETWEEN_PARTS = "\u001E";

/** The layout of each of some files on this machine. One query for all: 0.1 ms a file, where reading each footer here takes 0.9 ms. */
export async function layoutsOf(
  connection: DuckDBConnection,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FileLayout>> {
  const layouts = new Map<string, FileLayout>();
  const unknown: string[] = [];
  for (const path of new Set(paths)) {
    const layout = kept.get(path);
    if (layout === undefined) unknown.push(path);
    else layouts.set(path, layout);
  }
  if (unknown.length === 0) return layouts;
  const values = ["name", "type", "type_length", "repetition_type", "num_children", "converted_type", "logical_type"];
  const shown = [...values, "field_id", "duckdb_type"].map((column) => `coalesce(${column}::VARCHAR, '')`);
  const reader = await connection.runAndReadAll(
    `WITH layouts AS (
       SELECT file_name, string_agg(concat_ws(chr(31), ${shown.join(", ")}), chr(30) ORDER BY column_id) AS layout
       FROM parquet_schema([${unknown.map(quotedPath).join(", ")}]) GROUP BY file_name)
     SELECT layout, list(file_name) FROM layouts GROUP BY layout`,
  );
  for (const [text, files] of reader.getRowsJS() as [string, string[]][]) {
    const layout = layoutOf(text);
    for (const file of files) {
      layouts.set(file, layout);
      kept.set(file, layout);
    }
  }
  for (const path of kept.keys()) {
    if (kept.size <= KEPT_FILES) break;
    kept.delete(path);
  }
  const missing = unknown.find((path) => !layouts.has(path));
  if (missing !== undefined) throw new IcebergError("file-missing", `there is no file ${missing}`);
  return layouts;
}

function layoutOf(text: string): FileLayout {
  const parts = text.split(BETWEEN_PARTS).map((part): SchemaPart => {
    const [name, physical, length, repetition, children, converted, logical, id, duckType] = part.split(BETWEEN_VALUES);
    return {
      name: name!,
      physical: physical!,
      length: Number(length),
      isRepeated: repetition === "REPEATED",
      childCount: Number(children),
      annotation: converted! || logical!,
      id: id === "" ? undefined : Number(id),
      duckType: duckType!,
    };
  });
  return columnsOfSchema(parts).map(layoutField);
}
