/** What steps without datasets have of tables: SQL over what DuckDB reads itself. Nothing of Iceberg's is loaded for that. */
import type { DatasetOrName } from "../../core/datasets/dataset.ts";
import { SqlFragment, sqlPieces } from "../../core/sql/fragment.ts";
import type { StepDefinition } from "../../core/step-definition.ts";
import { declaredName } from "../declared.ts";
import type { RunTables } from "../run-tables.ts";
import type { StepTables, TablesUser } from "../step-tables.ts";
import { SqlEngine } from "./sql-engine.ts";
import { asRelation, SqlQuery } from "./sql-query.ts";
import { checkInSql } from "./sql-values.ts";

/** Disposing it ends the SQL engine, if one was started. */
export class SqlTables implements RunTables, AsyncDisposable {
  readonly #engine = new SqlEngine();

  of(step: StepDefinition, _partition: string | undefined, user: TablesUser): StepTables {
    const undeclared = (lists: readonly ("reads" | "writes")[], verb: string) => (dataset: DatasetOrName) => {
      declaredName(step, lists, verb, dataset);
      throw new TypeError("a run of steps that declare datasets has tables");
    };
    const later =
      (lists: readonly ("reads" | "writes")[], verb: string) =>
      async (dataset: DatasetOrName): Promise<never> =>
        undeclared(lists, verb)(dataset);
    return {
      scan: undeclared(["reads"], "scans"),
      append: later(["writes"], "appends to"),
      overwrite: later(["writes"], "overwrites"),
      commit: later(["writes"], "commits to"),
      table: later(["reads", "writes"], "asks for"),
      ensureTable: later(["writes"], "ensures"),
      sql: Object.assign((texts: TemplateStringsArray, ...values: readonly unknown[]) => {
        for (const value of values) checkInSql(value, (v) => v instanceof SqlQuery);
        return asRelation(new SqlQuery(new SqlFragment(texts, values), (f) => this.#engine.query(f, user)));
      }, sqlPieces),
    };
  }

  release(): void {
    // nothing is kept of a step
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine[Symbol.asyncDispose]();
  }
}
