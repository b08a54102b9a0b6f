/** Tables in memory, for runs that record nothing and for tests; and a step's context over them. */
import type { Snapshot, Table } from "../core/ctx.ts";
import type { AnyColumns } from "../core/datasets/column-notation.ts";
import { columnsOf, type Column } from "../core/datasets/column.ts";
import { nameOf, type DatasetOrName } from "../core/datasets/dataset.ts";
import { storedItem, storedRow } from "../core/datasets/stored-row.ts";
import { OrcaError } from "../core/errors.ts";
import { SqlFragment, sqlPieces } from "../core/sql/fragment.ts";
import type { Row } from "../core/sql/relation.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { declaredName } from "./declared.ts";
import { MemorySql } from "./memory-sql.ts";
import { asRelation, asScan, checkInSql, MemoryQuery, MemoryScan, type Held } from "./memory-relation.ts";
import { MemoryTable } from "./memory-table.ts";
import type { StepTables } from "./step-tables.ts";

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

  /** Puts rows into a table. @throws OrcaError `rows-misfit` if they don't fit its columns. */
  async fill(dataset: DatasetOrName, rows: unknown): Promise<void> {
    const table = this.get(dataset);
    table.commit(() => true, await rowsThatFit(table, rows));
  }

  /** A step's tables: the same for all attempts of one partition, which read what the first one read and commit once. */
  of(step: StepDefinition, partition: string | undefined): StepTables {
    const place = `${step.name}/${partition ?? ""}`;
    let tables = this.#steps.get(place);
    if (tables === undefined) this.#steps.set(place, (tables = new MemoryStepTables(this, step)));
    return tables.attempt();
  }

  [Symbol.dispose](): void {
    this.sql[Symbol.dispose]();
  }
}

/** What a step's attempts share: the snapshots that they read, and those that they made. */
class MemoryStepTables {
  readonly #tables: MemoryTables;
  readonly #step: StepDefinition;
  readonly #pins = new Map<string, Held & { readonly snapshot: Snapshot | undefined }>();
  /** The snapshots made, by their place among an attempt's commits: one is made once, however often the step is tried. */
  readonly #commits: Snapshot[] = [];

  constructor(tables: MemoryTables, step: StepDefinition) {
    this.#tables = tables;
    this.#step = step;
  }

  attempt(): StepTables {
    let commits = 0;
    return {
      scan: (dataset) => {
        const name = declaredName(this.#step, ["reads"], "scans", dataset);
        return asScan(new MemoryScan(() => this.#pin(name, dataset)));
      },
      append: (dataset, rows) => this.#commit("appends to", commits++, dataset, rows, undefined),
      overwrite: (dataset, rows, options) => this.#commit("overwrites", commits++, dataset, rows, whereOf(options)),
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
        const query = new MemoryQuery(new SqlFragment(texts, values), (f) => this.#tables.sql.query(f));
        return asRelation(query);
      }, sqlPieces),
    };
  }

  #pin(name: string, dataset: DatasetOrName): Held & { readonly snapshot: Snapshot | undefined } {
    let pin = this.#pins.get(name);
    if (pin === undefined) {
      const table = this.#tables.get(dataset);
      this.#pins.set(name, (pin = { ...table.current, columns: table.columns }));
    }
    return pin;
  }

  async #commit(
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
    const matches = where && matcher(table, where);
    const rows = await rowsThatFit(table, given);
    const outside = matches ? rows.findIndex((row) => !matches(row)) : -1;
    if (outside >= 0)
      throw new OrcaError(
        "rows-misfit",
        `rows don't fit ${table.name}: one isn't where the overwrite is (row ${outside + 1})`,
      );
    const isKept = matches === undefined ? () => true : (row: Row) => !matches(row);
    return (this.#commits[place] = table.commit(isKept, rows));
  }
}

function tableOf(table: MemoryTable): Table {
  return { location: `memory:${table.name}`, columns: table.columns ?? [], snapshot: table.current.snapshot };
}

function whereOf(options: { readonly where: Row } | undefined): Row {
  if (options?.where === undefined || options.where === null || typeof options.where !== "object")
    throw new OrcaError(
      "rows-misfit",
      "overwrite says which rows it replaces: ctx.overwrite(dataset, rows, { where: { day } })",
    );
  return options.where;
}

/** Whether a row's columns equal `where`, as they are stored. */
function matcher(table: MemoryTable, where: Row): (row: Row) => boolean {
  const wanted = Object.entries(where).map(([name, value]) => {
    const column = table.columns?.find((c) => c.name === name);
    return [name, JSON.stringify(storedWhere(table, name, column, value), bigintText)] as const;
  });
  return (row) => wanted.every(([name, text]) => JSON.stringify(row[name] ?? null, bigintText) === text);
}

function storedWhere(table: MemoryTable, name: string, column: Column | undefined, value: unknown): unknown {
  if (table.columns === undefined) return value ?? null;
  const misfits: string[] = [];
  const stored =
    column === undefined ? misfits.push(`${name} isn't a column`) : storedItem(column, value, name, misfits);
  if (misfits.length > 0) throw new OrcaError("rows-misfit", `where doesn't fit ${table.name}: ${misfits.join(", ")}`);
  return stored;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

async function rowsThatFit(table: MemoryTable, given: unknown): Promise<readonly Row[]> {
  if (given === null || typeof given !== "object" || !(Symbol.iterator in given || Symbol.asyncIterator in given))
    throw new OrcaError("rows-misfit", "rows come as an array, an iterable, a scan or a query");
  const rows: Row[] = [];
  for await (const row of given as AsyncIterable<unknown>)
    rows.push(
      table.columns === undefined
        ? structuredClone(row as Row)
        : storedRow(table.name, table.columns, row, rows.length + 1),
    );
  return rows;
}
