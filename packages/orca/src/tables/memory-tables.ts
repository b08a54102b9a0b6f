/** Tables in memory, for runs that record nothing and for tests; and a step's context over them. */
import type { Snapshot, Table } from "../core/ctx.ts";
import type { AnyColumns } from "../core/datasets/column-notation.ts";
import { columnsOf, type Column } from "../core/datasets/column.ts";
import { nameOf, type DatasetOrName } from "../core/datasets/dataset.ts";
import { storedRow, untypedRow } from "../core/datasets/stored-row.ts";
import { OrcaError } from "../core/errors.ts";
import { placeOf } from "../core/journal.ts";
import { SqlFragment, sqlPieces } from "../core/sql/fragment.ts";
import type { Row } from "../core/sql/relation.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { declaredName } from "./declared.ts";
import { MemorySql } from "./memory-sql.ts";
import { asRelation, asScan, checkInSql, MemoryQuery, MemoryScan, type Pin } from "./memory-relation.ts";
import { MemoryTable } from "./memory-table.ts";
import { matcher, textOfWhere, whereOf } from "./memory-where.ts";
import type { StepTables, TablesUser } from "./step-tables.ts";

/** All tables of a run. Disposing it ends the SQL engine, if one was started. */
export class MemoryTables implements Disposable {
  readonly #tables = new Map<string, MemoryTable>();
  readonly #steps = new Map<string, MemoryStepTables>();
  readonly sql = new MemorySql();

  /** The table of a dataset, made if there is none. */
  get(dataset: DatasetOrName): MemoryTable {
    const name = nameOf(dataset);
    const columns = typeof dataset === "string" ? undefined : dataset.columns;
    const table = this.#tables.get(name) ?? new MemoryTable(name, columns);
    table.learnColumns(columns);
    this.#tables.set(name, table);
    return table;
  }

  /** Whether there is a table of that name. */
  has(dataset: DatasetOrName): boolean {
    return this.#tables.has(nameOf(dataset));
  }

  /** Puts rows into a table. @throws OrcaError `rows-misfit` if they don't fit its columns. */
  async fill(dataset: DatasetOrName, rows: unknown): Promise<void> {
    const table = this.get(dataset);
    table.commit(() => true, await rowsThatFit(table, rows));
  }

  /** A step's tables: the same for all attempts of one partition, which read what the first one read and commit once. */
  of(step: StepDefinition, partition: string | undefined, user: TablesUser): StepTables {
    const place = placeOf(step.name, partition);
    let tables = this.#steps.get(place);
    if (tables === undefined) this.#steps.set(place, (tables = new MemoryStepTables(this, step)));
    return tables.attempt(user);
  }

  /** A step's attempts for a partition are over: the snapshots that they read are let go. */
  release(step: StepDefinition, partition: string | undefined): void {
    this.#steps.delete(placeOf(step.name, partition));
  }

  [Symbol.dispose](): void {
    this.sql[Symbol.dispose]();
  }
}

/** What a step's attempts share: the snapshots that they read, and those that they made. */
class MemoryStepTables {
  readonly #tables: MemoryTables;
  readonly #step: StepDefinition;
  readonly #pins = new Map<string, Pin>();
  /** The snapshots made, by their place among an attempt's commits: one is made once, however often the step is tried. */
  readonly #commits: Snapshot[] = [];

  constructor(tables: MemoryTables, step: StepDefinition) {
    this.#tables = tables;
    this.#step = step;
  }

  attempt(user: TablesUser): StepTables {
    let commits = 0;
    return {
      scan: (dataset) => {
        const name = declaredName(this.#step, ["reads"], "scans", dataset);
        return asScan(new MemoryScan(() => this.#pin(name, dataset), this.#tables.get(dataset).columns));
      },
      append: (dataset, rows) => this.#commit(user, "appends to", commits++, dataset, rows, undefined),
      overwrite: async (dataset, rows, options) =>
        this.#commit(user, "overwrites", commits++, dataset, rows, whereOf(options)),
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
        values.forEach(checkInSql);
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
    verb: string,
    place: number,
    dataset: DatasetOrName,
    given: unknown,
    where: Row | undefined,
  ): Promise<Snapshot> {
    declaredName(this.#step, ["writes"], verb, dataset);
    const made = this.#commits[place];
    if (made !== undefined) return made;
    const table = this.#tables.get(dataset);
    const matches = where === undefined ? undefined : matcher(table, where);
    const rows = await rowsThatFit(table, given);
    if (user.isOver)
      throw new OrcaError("step-over", `step '${this.#step.name}' ${verb} '${table.name}' after its attempt was over`);
    const outside = matches === undefined ? -1 : rows.findIndex((row) => !matches(row));
    if (outside >= 0)
      throw new OrcaError(
        "rows-misfit",
        `rows don't fit ${table.name}: the overwrite replaces only rows where ${textOfWhere(where!)} (row ${outside + 1})`,
      );
    // asked again: an attempt before may have failed while its rows were still coming, and have committed since
    return (this.#commits[place] ??= table.commit((row) => matches === undefined || !matches(row), rows));
  }
}

function tableOf(table: MemoryTable): Table {
  return { location: `memory:${table.name}`, columns: table.columns ?? [], snapshot: table.current.snapshot };
}

async function rowsThatFit(table: MemoryTable, given: unknown): Promise<readonly Row[]> {
  if (given === null || typeof given !== "object" || !(Symbol.iterator in given || Symbol.asyncIterator in given))
    throw new OrcaError("rows-misfit", whatRowsAre(given));
  const { columns } = table;
  const rows: Row[] = [];
  for await (const row of given as AsyncIterable<unknown>) {
    if (columns === undefined) rows.push(untypedRow(table.name, row, rows.length + 1));
    else {
      const cast = given instanceof MemoryQuery ? countsCast(columns, row as Row) : row;
      rows.push(storedRow(table.name, columns, cast, rows.length + 1));
    }
  }
  return rows;
}

function whatRowsAre(given: unknown): string {
  const isPromise = typeof (given as PromiseLike<unknown> | null | undefined)?.then === "function";
  return isPromise ? "the rows are a promise: await it" : "rows come as an array, an iterable, a scan or a query";
}

/** SQL's counts are bigints: one that goes into an `int` column is made a number, which is then checked as any other. */
function countsCast(columns: readonly Column[], row: Row): Row {
  const counts = columns.filter((c) => c.type.type === "int" && typeof row[c.name] === "bigint");
  return { ...row, ...Object.fromEntries(counts.map((c) => [c.name, Number(row[c.name])])) };
}
