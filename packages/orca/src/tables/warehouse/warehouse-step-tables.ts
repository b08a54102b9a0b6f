/** A step's context over the tables of a warehouse. */
import { and, eq, findCommit, isNull, type Literal, type Predicate, type Table as IcebergTable } from "@orcajs/iceberg";
import type { Snapshot, Table } from "../../core/ctx.ts";
import type { AnyColumns } from "../../core/datasets/column-notation.ts";
import { columnsOf } from "../../core/datasets/column.ts";
import { nameOf, type DatasetOrName } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import { SqlFragment, sqlPieces } from "../../core/sql/fragment.ts";
import type { Relation, Row, Scan } from "../../core/sql/relation.ts";
import type { StepDefinition } from "../../core/step-definition.ts";
import type { TableRecords } from "../../core/table-records.ts";
import { declaredName } from "../declared.ts";
import { checkInSql } from "../sql-values.ts";
import type { StepTables, TablesUser } from "../step-tables.ts";
import { storedWhere, textOfWhere, whereOf } from "../where.ts";
import { CommitProperties, type CodeOfRun } from "./commit-properties.ts";
import { checkReadable } from "./drift.ts";
import { emptyRows, withNulls } from "./null-columns.ts";
import { columnsOfTable } from "./iceberg-columns.ts";
import { checkColumn, type Pinned, PinnedScan, StepRelation } from "./step-relation.ts";
import { queryOf } from "./step-sql.ts";
import type { Warehouse } from "./warehouse.ts";
import { asMisfit, writtenRows } from "./written-rows.ts";

/** What the attempts of a run have in common. */
export interface WarehouseOfRun {
  readonly warehouse: Warehouse;
  readonly records: TableRecords;
  readonly code: CodeOfRun;
}

/** What an attempt does to a table, as the sentences and the snapshot's properties have it. */
interface Commit {
  readonly verb: "appends to" | "overwrites";
  readonly where: Row | undefined;
}

/** The tables of one attempt of a step. */
export class WarehouseStepTables {
  readonly #run: WarehouseOfRun;
  readonly #step: StepDefinition;
  readonly #user: TablesUser;
  readonly #properties: CommitProperties;
  readonly #pins = new Map<string, Promise<PinnedTable>>();
  #commits = 0;

  constructor(run: WarehouseOfRun, step: StepDefinition, user: TablesUser) {
    this.#run = run;
    this.#step = step;
    this.#user = user;
    this.#properties = new CommitProperties(run.code, user.id);
  }

  get tables(): StepTables {
    const { engine } = this.#run.warehouse;
    return {
      scan: (dataset) => {
        declaredName(this.#step, ["reads"], "scans", dataset);
        const pin = async (columns: readonly string[] | undefined) => this.#rowsOf(dataset, columns);
        const known = typeof dataset === "string" ? undefined : dataset.columns.map((c) => c.name);
        return asScan(new PinnedScan(engine, this.#user.signal, pin, known));
      },
      append: (dataset, rows) => this.#commit(++this.#commits, { verb: "appends to", where: undefined }, dataset, rows),
      overwrite: async (dataset, rows, options) =>
        this.#commit(++this.#commits, { verb: "overwrites", where: whereOf(options) }, dataset, rows),
      table: async (dataset) => {
        const name = declaredName(this.#step, ["reads", "writes"], "asks for", dataset);
        const table = await this.#run.warehouse.find(name);
        if (table === undefined) throw new OrcaError("table-missing", `there is no table '${name}' yet`);
        return tableOf(table);
      },
      ensureTable: async (dataset, columns) => {
        declaredName(this.#step, ["writes"], "ensures", dataset);
        const known = columns === undefined ? undefined : columnsOf(columns satisfies AnyColumns, {});
        return tableOf(await this.#run.warehouse.ensure(dataset, known));
      },
      sql: Object.assign((texts: TemplateStringsArray, ...values: readonly unknown[]) => {
        for (const value of values) checkInSql(value, (v) => v instanceof StepRelation);
        const query = queryOf(engine, new SqlFragment(texts, values));
        return asRelation(new StepRelation(engine, this.#user.signal, async () => query, partsOf(values)));
      }, sqlPieces),
    };
  }

  async #rowsOf(dataset: DatasetOrName, columns: readonly string[] | undefined): Promise<Pinned> {
    const name = nameOf(dataset);
    let pinning = this.#pins.get(name);
    if (pinning === undefined) this.#pins.set(name, (pinning = this.#pin(name)));
    const { table, snapshot } = await pinning;
    const { engine } = this.#run.warehouse;
    const declared = typeof dataset === "string" ? undefined : dataset.columns;
    const there = table && columnsOfTable(table.schema.fields);
    if (declared !== undefined && there !== undefined) checkReadable(name, declared, there);
    if (table === undefined || snapshot === undefined) {
      const known = declared ?? there;
      if (known === undefined) throw new OrcaError("table-missing", `there is no table '${name}' yet`);
      return { snapshot, rows: emptyRows(engine, columnsNamed(known, columns)) };
    }
    if (!table.snapshots().some((s) => s["snapshot-id"] === snapshot))
      throw new OrcaError(
        "snapshot-expired",
        `snapshot ${snapshot} of '${name}', which step '${this.#step.name}' read first, was expired: run it anew to read what the table has now`,
      );
    const wanted = columnsNamed(declared ?? there!, columns);
    const lacking = wanted.filter((c) => !there!.some((t) => t.name === c.name));
    const rows = table.scan({
      snapshot: { id: snapshot },
      columns: wanted.filter((c) => !lacking.includes(c)).map((c) => c.name),
    });
    return { snapshot, rows: lacking.length === 0 ? rows : withNulls(engine, rows, wanted, lacking) };
  }

  async #pin(dataset: string): Promise<PinnedTable> {
    const { warehouse, records } = this.#run;
    const table = await warehouse.find(dataset);
    const location = table?.location ?? warehouse.location;
    const current = table?.scan().snapshot?.["snapshot-id"];
    const snapshot = await records.read(this.#user.id, { dataset, location, snapshot: current });
    this.#properties.reads(dataset, snapshot);
    return { table, snapshot };
  }

  async #commit(number: number, commit: Commit, dataset: DatasetOrName, given: unknown): Promise<Snapshot> {
    const name = declaredName(this.#step, ["writes"], commit.verb, dataset);
    const table = await this.#run.warehouse.ensure(dataset);
    const columns = columnsOfTable(table.schema.fields);
    const known = { name, columns };
    const where = commit.where && storedWhere(known, commit.where);
    const does = `${commit.verb} '${name}'${where === undefined ? "" : ` where ${textOfWhere(where)}`}`;
    const once = this.#properties.once(number);
    const landed = findCommit(table, once);
    if (landed !== undefined) this.#checkSame(number, does, landed.summary?.["orca.commit.does"]);
    else if (this.#user.isOver)
      throw new OrcaError("step-over", `step '${this.#step.name}' ${does} after its attempt was over`);
    if (landed === undefined && given instanceof StepRelation) await given.pin();
    const options = { once, properties: { ...this.#properties.others(), "orca.commit.does": does } };
    const { signal } = this.#user;
    try {
      const rows = writtenRows(known, given);
      const snapshot =
        landed ??
        (where === undefined
          ? await table.append(rows, { ...options, signal })
          : await table.overwrite(rows, { ...options, signal, where: predicateOf(where) }));
      const id = snapshot["snapshot-id"];
      await this.#run.records.committed(this.#user.id, {
        number,
        dataset: name,
        location: table.location,
        snapshot: id,
        operation: snapshot.summary?.["operation"] ?? "append",
      });
      return id;
    } catch (error) {
      throw asMisfit(name, error);
    }
  }

  #checkSame(number: number, does: string, before: string | undefined): void {
    if (before === does) return;
    throw new OrcaError(
      "commits-differ",
      `commit ${number} of step '${this.#step.name}' ${does}, and that of an earlier attempt ${before ?? "did something else"}: a step must make its commits in the same order at every attempt`,
    );
  }
}

interface PinnedTable {
  readonly table: IcebergTable | undefined;
  readonly snapshot: Snapshot | undefined;
}

/** A filter for rows whose columns equal these values. */
function predicateOf(where: Row): Predicate {
  return and(
    ...Object.entries(where).map(([name, value]) => (value === null ? isNull(name) : eq(name, value as Literal))),
  );
}

/** The scans and queries in a query. */
function partsOf(values: readonly unknown[]): readonly StepRelation[] {
  return values.flatMap((value) => {
    if (value instanceof SqlFragment) return partsOf(value.values);
    return value instanceof StepRelation ? [value] : [];
  });
}

function columnsNamed<C extends { readonly name: string }>(
  columns: readonly C[],
  names: readonly string[] | undefined,
): readonly C[] {
  return (
    names?.map((name) => {
      checkColumn(
        columns.map((c) => c.name),
        name,
      );
      return columns.find((c) => c.name === name)!;
    }) ?? columns
  );
}

function tableOf(table: IcebergTable): Table {
  return {
    location: table.location,
    columns: columnsOfTable(table.schema.fields),
    snapshot: table.scan().snapshot?.["snapshot-id"],
  };
}

/** The types that users see have a member that no value has: what rows are is in the type alone. */
function asScan(scan: PinnedScan): Scan {
  return scan as unknown as Scan;
}
function asRelation(relation: StepRelation): Relation {
  return relation as unknown as Relation;
}
