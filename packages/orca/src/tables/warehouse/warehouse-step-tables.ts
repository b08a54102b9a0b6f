/** A step's context over the tables of a warehouse. */
import type { Table as IcebergTable } from "@orcajs/iceberg";
import type { Table } from "../../core/ctx.ts";
import type { AnyColumns } from "../../core/datasets/column-notation.ts";
import { columnsOf } from "../../core/datasets/column.ts";
import { nameOf } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import { SqlFragment, sqlPieces } from "../../core/sql/fragment.ts";
import type { Relation, Scan } from "../../core/sql/relation.ts";
import type { StepDefinition } from "../../core/step-definition.ts";
import { declaredName } from "../declared.ts";
import { checkInSql } from "../sql/sql-values.ts";
import type { StepTables, TablesUser } from "../step-tables.ts";
import { whereOf } from "../where.ts";
import { filesOf } from "./file-commit.ts";
import { columnsOfTable } from "./iceberg-columns.ts";
import { PinnedReads } from "./pinned-reads.ts";
import { appendOf, overwriteOf } from "./row-commit.ts";
import { PinnedScan, type Selection, StepRelation } from "./step-relation.ts";
import { queryOf } from "./step-sql.ts";
import { WarehouseCommits, type WarehouseOfRun } from "./warehouse-commits.ts";

/** The tables of one attempt of a step. */
export function warehouseStepTables(ofRun: WarehouseOfRun, step: StepDefinition, user: TablesUser): StepTables {
  const { warehouse, records } = ofRun;
  const { engine } = warehouse;
  const { signal } = user;
  const reads = new PinnedReads(warehouse, records, user);
  const commits = new WarehouseCommits(ofRun, user, reads, step.writes.map(nameOf));
  return {
    scan: (dataset, options) => {
      const name = declaredName(step, ["reads"], "scans", dataset);
      const known = typeof dataset === "string" ? undefined : dataset.columns.map((c) => c.name);
      const source = {
        rows: (selection: Selection) => reads.rowsOf(dataset, selection),
        files: () => reads.filesOf(name),
      };
      return asScan(new PinnedScan(engine, signal, source, known, { where: options?.where }));
    },
    append: async (dataset, rows) => {
      declaredName(step, ["writes"], "appends to", dataset);
      return await commits.make(appendOf(dataset, rows));
    },
    overwrite: async (dataset, rows, options) => {
      declaredName(step, ["writes"], "overwrites", dataset);
      return await commits.make(overwriteOf(dataset, rows, whereOf(options)));
    },
    commit: async (dataset, change) => {
      const name = declaredName(step, ["writes"], "commits to", dataset);
      return await commits.make(filesOf(dataset, change, () => reads.snapshotOf(name)));
    },
    table: async (dataset) => {
      const name = declaredName(step, ["reads", "writes"], "asks for", dataset);
      const table = await warehouse.find(name);
      if (table === undefined) throw new OrcaError("table-missing", `there is no table '${name}' yet`);
      return tableOf(table);
    },
    ensureTable: async (dataset, columns) => {
      declaredName(step, ["writes"], "ensures", dataset);
      const known = columns === undefined ? undefined : columnsOf(columns satisfies AnyColumns, {});
      return tableOf(await warehouse.ensure(dataset, known));
    },
    sql: Object.assign((texts: TemplateStringsArray, ...values: readonly unknown[]) => {
      for (const value of values) checkInSql(value, (v) => v instanceof StepRelation);
      const query = queryOf(engine, new SqlFragment(texts, values));
      return asRelation(new StepRelation(engine, signal, async () => query, partsOf(values)));
    }, sqlPieces),
  };
}

/** The scans and queries in a query. */
function partsOf(values: readonly unknown[]): readonly StepRelation[] {
  return values.flatMap((value) => {
    if (value instanceof SqlFragment) return partsOf(value.values);
    return value instanceof StepRelation ? [value] : [];
  });
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
