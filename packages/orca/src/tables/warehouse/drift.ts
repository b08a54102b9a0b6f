/** What a table has, against what its dataset declares. */
import { columnDifferences } from "../../core/datasets/column-differences.ts";
import type { Column } from "../../core/datasets/column.ts";
import { OrcaError } from "../../core/errors.ts";

/**
 * The columns that a dataset declares and its table lacks: those that may be null can be added.
 *
 * @throws OrcaError `table-drifted` with all else that differs.
 */
export function addedColumns(
  dataset: string,
  declared: readonly Column[],
  table: readonly Column[],
): readonly Column[] {
  const names = new Set(table.map((c) => c.name));
  const added = declared.filter((c) => c.nullable && !names.has(c.name));
  const differences = columnDifferences(declared, [...table, ...added], "as it is declared", "in the table");
  if (differences.length === 0) return added;
  throw drifted(dataset, differences);
}

/**
 * Passes if a dataset's rows can be read from its table: columns that the table has besides aren't read, and those that it lacks are null.
 *
 * @throws OrcaError `table-drifted` with what differs.
 */
export function checkReadable(dataset: string, declared: readonly Column[], table: readonly Column[]): void {
  const names = new Set(declared.map((c) => c.name));
  const read = table.filter((c) => names.has(c.name));
  const lacking = declared.filter((c) => c.nullable && !read.some((r) => r.name === c.name));
  const differences = columnDifferences(declared, [...read, ...lacking], "as it is declared", "in the table");
  if (differences.length > 0) throw drifted(dataset, differences);
}

function drifted(dataset: string, differences: readonly string[]): OrcaError {
  return new OrcaError(
    "table-drifted",
    `the table of '${dataset}' isn't as the dataset is declared: ${differences.join("; ")}; change the one or the other`,
  );
}
