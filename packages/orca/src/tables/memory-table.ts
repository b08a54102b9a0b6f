import type { Snapshot } from "../core/ctx.ts";
import { columnDifferences } from "../core/datasets/column-differences.ts";
import type { Column } from "../core/datasets/column.ts";
import { storedRow } from "../core/datasets/stored-row.ts";
import { OrcaError } from "../core/errors.ts";
import type { Row } from "../core/sql/relation.ts";

/** A table in memory: each snapshot is a list of rows that never changes, so that a pinned one is kept by holding it. */
export class MemoryTable {
  readonly name: string;
  /** Undefined for a table known by its name alone. */
  #columns: readonly Column[] | undefined;
  #rows: readonly Row[] = [];
  #snapshot: Snapshot | undefined;

  constructor(name: string, columns: readonly Column[] | undefined) {
    this.name = name;
    this.#columns = columns;
  }

  get columns(): readonly Column[] | undefined {
    return this.#columns;
  }

  /**
   * A table that was first known by its name gets its columns from whoever knows them, and one that has columns gets those that may be
   * null. Its rows are made what the columns hold.
   *
   * @throws OrcaError `rows-misfit` if the rows that it has don't fit them, and `invalid-dataset` if they differ from its own otherwise.
   */
  learnColumns(columns: readonly Column[] | undefined): void {
    if (columns === undefined || columns === this.#columns) return;
    const own = this.#columns;
    const added =
      own === undefined ? columns : columns.filter((c) => c.nullable && own.every((o) => o.name !== c.name));
    const all = [...(own ?? []), ...added];
    const differences = columnDifferences(all, columns, "in the table", "in the declaration");
    if (differences.length > 0)
      throw new OrcaError(
        "invalid-dataset",
        `'${this.name}' is declared with other columns than its table has: ${differences.join("; ")}: declare the table's columns, and no more but those that may be null`,
      );
    if (added.length === 0) return;
    this.#rows = this.#rows.map((row, i) => storedRow(this.name, all, row, i + 1));
    this.#columns = all;
  }

  /** The rows of the current snapshot, and which it is: undefined if there is none yet. */
  get current(): { readonly snapshot: Snapshot | undefined; readonly rows: readonly Row[] } {
    return { snapshot: this.#snapshot, rows: this.#rows };
  }

  /** Makes a snapshot of the rows kept of the current one, and more. */
  commit(kept: (row: Row) => boolean, added: readonly Row[]): Snapshot {
    this.#rows = [...this.#rows.filter(kept), ...added];
    this.#snapshot = (this.#snapshot ?? 0n) + 1n;
    return this.#snapshot;
  }
}
