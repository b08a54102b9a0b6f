import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { openCatalog } from "../catalog/open.ts";
import { applyTransform } from "../partition/apply.ts";
import { parseTransform } from "../partition/transform.ts";
import { bind } from "../predicate/bind.ts";
import { matches } from "../predicate/evaluate.ts";
import { or, type Predicate } from "../predicate/predicate.ts";
import { predicates } from "../predicate/predicates.fixture.ts";
import type { PrimitiveType } from "../schema/type.ts";
import type { Table } from "../table.ts";
import { nearValues } from "../values/values.fixture.ts";

interface Numbered {
  readonly n: number;
  readonly v: number | string | null;
}
type Command =
  | { readonly does: "append" | "overwrite partitions"; readonly rows: readonly Numbered[] }
  | { readonly does: "overwrite"; readonly rows: readonly Numbered[]; readonly where: Predicate }
  | { readonly does: "delete"; readonly where: Predicate }
  | { readonly does: "rewrite files" | "rewrite manifests" | "repartition" | "expire" };

const catalog = openCatalog("memory:row-changes", { engine: { threads: 1 } });
afterAll(async () => await catalog[Symbol.asyncDispose]());
await catalog.createNamespace("a");

const types = (["int", "double", "string"] as const).map((kind) => ({ kind }));
const BUCKETS = parseTransform("bucket[2]");
const sorted = (rows: readonly Numbered[]) =>
  rows.toSorted((a, b) => a.n - b.n || String(a.v).localeCompare(String(b.v)));

function commands(type: PrimitiveType & { readonly kind: "int" | "double" | "string" }): fc.Arbitrary<Command[]> {
  const values = nearValues(type) as fc.Arbitrary<number | string>;
  // -0 comes back from a partition as 0
  const value = fc.option(values.filter((v) => !Object.is(v, -0)));
  const n = fc.integer({ min: 0, max: 20 });
  const rows = fc.array(fc.record({ n, v: value }), { maxLength: 6 });
  const where = fc.oneof(
    predicates({ kind: "int" }, "n", n),
    predicates(type, "v", values),
    fc.tuple(predicates({ kind: "int" }, "n", n), predicates(type, "v", values)).map(([a, b]) => or(a, b)),
  );
  const does = <T extends Command["does"]>(...texts: readonly T[]) => fc.constantFrom(...texts);
  const command = fc.oneof(
    { arbitrary: fc.record({ does: does("append"), rows }), weight: 4 },
    { arbitrary: fc.record({ does: does("overwrite"), rows, where }), weight: 3 },
    { arbitrary: fc.record({ does: does("delete"), where }), weight: 3 },
    { arbitrary: fc.record({ does: does("overwrite partitions"), rows }), weight: 2 },
    { arbitrary: fc.record({ does: does("rewrite files", "rewrite manifests", "repartition", "expire") }), weight: 2 },
  );
  return fc.array(command, { minLength: 1, maxLength: 9 });
}

let tables = 0;
it.each(types.map((type) => [type.kind, type] as const))(
  "rows are what a list would have after the same changes, and snapshots stay what they were: %s",
  async (_kind, type) => {
    const property = fc.asyncProperty(commands(type), fc.boolean(), async (given, isPartitioned) => {
      const table = await catalog.createTable(`a.t${++tables}`, {
        columns: { n: "int", v: `${type.kind}?` },
        partitionBy: isPartitioned ? [{ column: "n", transform: "bucket[2]" }] : [],
      });
      const model = new Model(table, isPartitioned);
      for (const command of given) {
        await model.do(command);
        const { rows, expected } = await model.after();
        expect(rows).toEqual(expected);
      }
    });
    await fc.assert(property, { numRuns: 12 });
  },
);

/** A list of rows, beside a table. */
class Model {
  readonly #table: Table;
  readonly #isPartitioned: boolean;
  #rows: readonly Numbered[] = [];
  #isRepartitioned = false;
  readonly #snapshots = new Map<bigint, readonly Numbered[]>();

  constructor(table: Table, isPartitioned: boolean) {
    this.#table = table;
    this.#isPartitioned = isPartitioned;
  }

  async do(command: Command): Promise<void> {
    const table = this.#table;
    switch (command.does) {
      case "append":
        await table.append(command.rows);
        this.#rows = [...this.#rows, ...command.rows];
        break;
      case "delete":
        await table.delete(command.where);
        this.#rows = this.#rows.filter((row) => !this.#isSelected(row, command.where));
        break;
      case "overwrite": {
        const { where, rows } = command;
        const fitting = rows.filter((row) => this.#isSelected(row, where));
        if (fitting.length < rows.length) {
          await expect(table.overwrite(rows, { where })).rejects.toMatchObject({ code: "invalid-rows" });
          break;
        }
        await table.overwrite(rows, { where });
        this.#rows = [...this.#rows.filter((row) => !this.#isSelected(row, where)), ...rows];
        break;
      }
      case "overwrite partitions": {
        if (this.#isRepartitioned) break;
        await table.overwritePartitions(command.rows);
        const replaced = new Set(command.rows.map((row) => this.#partitionOf(row)));
        this.#rows = [...this.#rows.filter((row) => !replaced.has(this.#partitionOf(row))), ...command.rows];
        break;
      }
      case "rewrite files":
        await table.maintenance.rewriteFiles({ minInputFiles: 2 });
        break;
      case "rewrite manifests":
        await table.maintenance.rewriteManifests();
        break;
      case "repartition":
        if (!this.#isRepartitioned) await table.changeSpec([{ change: "add", column: "v" }]);
        this.#isRepartitioned = true;
        break;
      case "expire": {
        const { snapshots } = await table.maintenance.expireSnapshots({ keepLast: 1, olderThan: new Date() });
        for (const { "snapshot-id": id } of snapshots) this.#snapshots.delete(id);
      }
    }
  }

  /** The rows of the table now and at each snapshot, and what they are to be. */
  async after(): Promise<{ readonly rows: unknown; readonly expected: unknown }> {
    const current = this.#table.scan<Numbered>();
    const now = sorted(await current.toArray());
    if (current.snapshot !== undefined) this.#snapshots.set(current.snapshot["snapshot-id"], sorted(this.#rows));
    const rows = new Map<bigint, readonly Numbered[]>();
    for (const id of this.#snapshots.keys())
      rows.set(id, sorted(await this.#table.scan<Numbered>({ snapshot: { id } }).toArray()));
    return { rows: { now, rows }, expected: { now: sorted(this.#rows), rows: this.#snapshots } };
  }

  #isSelected(row: Numbered, where: Predicate): boolean {
    return matches(bind(where, this.#table.schema), { n: row.n, v: row.v });
  }

  #partitionOf({ n }: Numbered): unknown {
    return this.#isPartitioned ? applyTransform(BUCKETS, { kind: "int" }, n) : undefined;
  }
}
