/** A step's context over tables in memory. */
import type { Snapshot, Table } from "../core/ctx.ts";
import type { AnyColumns } from "../core/datasets/column-notation.ts";
import { columnsOf } from "../core/datasets/column.ts";
import type { DatasetOrName } from "../core/datasets/dataset.ts";
import { OrcaError } from "../core/errors.ts";
import { SqlFragment, sqlPieces } from "../core/sql/fragment.ts";
import type { Row } from "../core/sql/relation.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { declaredName } from "./declared.ts";
import { asRelation, asScan, MemoryQuery, MemoryRelation, MemoryScan, type Pin } from "./memory-relation.ts";
import { rowsThatFit } from "./memory-rows.ts";
import type { MemoryTable } from "./memory-table.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { isWhere, storedWhere, textOfWhere, whereOf } from "./where.ts";
import { checkInSql } from "./sql-values.ts";
import { StepCommits, type Commit } from "./step-commits.ts";
import type { StepTables, TablesUser } from "./step-tables.ts";

/** What a step's attempts share: the snapshots that they read, and those that they made. */
export class MemoryStepTables {
  readonly #tables: MemoryTables;
  readonly #step: StepDefinition;
  readonly #pins = new Map<string, Pin>();
  readonly #commits: StepCommits;

  constructor(tables: MemoryTables, step: StepDefinition) {
    this.#tables = tables;
    this.#step = step;
    this.#commits = new StepCommits(step.name);
  }

  attempt(user: TablesUser): StepTables {
    let commits = 0;
    return {
      scan: (dataset) => {
        const name = declaredName(this.#step, ["reads"], "scans", dataset);
        return asScan(new MemoryScan(() => this.#pin(name, dataset), this.#tables.get(dataset).columns));
      },
      append: (dataset, rows) => this.#commit(user, commits++, "appends to", dataset, rows),
      overwrite: async (dataset, rows, options) =>
        this.#commit(user, commits++, "overwrites", dataset, rows, whereOf(options)),
      commit: async (dataset) => {
        declaredName(this.#step, ["writes"], "commits to", dataset);
        throw new OrcaError("unsupported", "tables in memory take no files: set ORCA_WAREHOUSE");
      },
      table: async (dataset) => {
        declaredName(this.#step, ["reads", "writes"], "asks for", dataset);
        return tableOf(this.#tables.get(dataset));
      },
      ensureTable: async (dataset, columns) => {
        declaredName(this.#step, ["writes"], "ensures", dataset);
        const table = this.#tables.get(dataset);
        if (columns !== undefined) table.learnColumns(columnsOf(columns satisfies AnyColumns, {}));
        return tableOf(table);
      },
      sql: Object.assign((texts: TemplateStringsArray, ...values: readonly unknown[]) => {
        for (const value of values) checkInSql(value, (v) => v instanceof MemoryRelation);
        const query = new MemoryQuery(new SqlFragment(texts, values), (f) => this.#tables.sql.query(f, user));
        return asRelation(query);
      }, sqlPieces),
    };
  }

  #pin(name: string, dataset: DatasetOrName): Pin {
    let pin = this.#pins.get(name);
    if (pin === undefined) {
      const table = this.#tables.get(dataset);
      this.#pins.set(name, (pin = { ...table.current, columns: table.columns }));
    }
    return pin;
  }

  async #commit(
    user: TablesUser,
    place: number,
    verb: string,
    dataset: DatasetOrName,
    given: unknown,
    whereGiven?: Row,
  ): Promise<Snapshot> {
    declaredName(this.#step, ["writes"], verb, dataset);
    const table = this.#tables.get(dataset);
    const where = whereGiven && storedWhere(table, whereGiven);
    const commit: Commit = { verb, dataset: table.name, where };
    const made = this.#commits.snapshotAt(place, commit);
    if (made !== undefined) return made;
    const rows = await rowsThatFit(table, given);
    if (user.isOver)
      throw new OrcaError("step-over", `step '${this.#step.name}' ${verb} '${table.name}' after its attempt was over`);
    const isReplaced = (row: Row) => where !== undefined && isWhere(where, row);
    const outside = where === undefined ? -1 : rows.findIndex((row) => !isReplaced(row));
    if (outside >= 0)
      throw new OrcaError(
        "rows-misfit",
        `rows don't fit ${table.name}: the overwrite replaces only rows where ${textOfWhere(where!)} (row ${outside + 1})`,
      );
    // asked again: an attempt before may have failed while its rows were still coming, and have committed since
    const since = this.#commits.snapshotAt(place, commit);
    if (since !== undefined) return since;
    const snapshot = table.commit((row) => !isReplaced(row), rows);
    this.#commits.land(place, commit, snapshot);
    return snapshot;
  }
}

function tableOf(table: MemoryTable): Table {
  return { location: `memory:${table.name}`, columns: table.columns ?? [], snapshot: table.current.snapshot };
}
