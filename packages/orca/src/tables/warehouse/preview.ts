/** The first rows of a table, read by DuckDB, which stops when it has them. */
import { typeText, type Field } from "@orcajs/iceberg";
import { OrcaError } from "../../core/errors.ts";
import type { TablePreview } from "../../core/table-preview.ts";
import type { Warehouse } from "./warehouse.ts";

const COLUMNS_MAX = 40;
const TEXT_MAX = 120;
const NUMBERS: ReadonlySet<string> = new Set(["int", "long", "float", "double", "decimal"]);

/** @throws OrcaError `table-missing` */
export async function previewOf(warehouse: Warehouse, dataset: string, rowCount: number): Promise<TablePreview> {
  const table = await warehouse.find(dataset);
  if (table === undefined)
    throw new OrcaError("table-missing", `there is no table of ${dataset} in the warehouse ${warehouse.location}`);
  const scan = table.scan();
  const { summary = {} } = scan.snapshot ?? {};
  const fields = scan.schema.fields.slice(0, COLUMNS_MAX);
  return {
    dataset,
    snapshot: scan.snapshot?.["snapshot-id"].toString() ?? null,
    rowCount: countIn(summary["total-records"]),
    fileCount: countIn(summary["total-data-files"]),
    bytes: countIn(summary["total-files-size"]),
    columns: fields.map((field) => ({
      name: field.name,
      type: typeText(field.type),
      isNullable: !field.required,
      isNumber: NUMBERS.has(field.type.kind),
    })),
    columnCount: scan.schema.fields.length,
    rows:
      scan.snapshot === undefined ? [] : await firstRows(warehouse, scan.columns(...namesOf(fields)), fields, rowCount),
  };
}

async function firstRows(
  warehouse: Warehouse,
  scan: ReturnType<Awaited<ReturnType<Warehouse["ensure"]>>["scan"]>,
  fields: readonly Field[],
  count: number,
): Promise<TablePreview["rows"]> {
  const { sql } = warehouse.engine;
  type Texts = Record<string, string | null>;
  const rows =
    await sql<Texts>`select left(columns(*)::varchar, ${TEXT_MAX + 1}) from ${scan} limit ${count}`.toArray();
  return rows.map((row) => fields.map(({ name }) => shortened(row[name] ?? null)));
}

function namesOf(fields: readonly Field[]): readonly [string, ...string[]] {
  return fields.map(({ name }) => name) as [string, ...string[]];
}

function shortened(text: string | null): string | null {
  return text !== null && text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}

function countIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
