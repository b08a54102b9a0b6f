/** What the tests of a warehouse's tables share: a step, its datasets, and its attempts in a run over a warehouse in memory. */
import { randomUUID } from "node:crypto";
import { type Catalog, openCatalog } from "@orcajs/iceberg";
import type { Ctx } from "../../core/ctx.ts";
import { dataset } from "../../core/datasets/dataset.ts";
import type { AttemptId } from "../../core/journal.ts";
import { defineStep, type StepDefinition } from "../../core/step-definition.ts";
import type { TableCommit, TableRead, TableRecords } from "../../core/table-records.ts";
import { MemoryTableRecords } from "../memory-records.ts";
import type { StepTables } from "../step-tables.ts";
import { WarehouseTables } from "./warehouse-tables.ts";

export const raw = dataset("lake.raw", { id: "long", day: "date", value: "double?" });
export const clean = dataset("lake.clean", { id: "long", day: "date", note: "string?" }, { partitionBy: ["day"] });
export const day = "2024-01-31";

const step = defineStep("mapped", "load", [
  { reads: [raw, clean, "by.name"], writes: [raw, clean, "by.name"] },
  () => 1,
]);
export type TablesCtx = Ctx<typeof raw | typeof clean | "by.name", typeof raw | typeof clean | "by.name">;

/** Records that tests can look at. */
class KeptRecords implements TableRecords {
  readonly reads: (TableRead & { readonly attempt: number })[] = [];
  readonly commits: TableCommit[] = [];
  readonly #memory = new MemoryTableRecords();

  async read(id: AttemptId, read: TableRead) {
    const snapshot = await this.#memory.read(id, read);
    this.reads.push({ ...read, snapshot, attempt: id.attempt });
    return snapshot;
  }

  async committed(_id: AttemptId, commit: TableCommit) {
    this.commits.push(commit);
  }
}

/** A run of a pipeline, over a warehouse that outlives it. */
export class TestRun implements AsyncDisposable {
  readonly catalog: Catalog;
  readonly records = new KeptRecords();
  readonly location: string;
  readonly #tables: WarehouseTables;

  constructor(location = `memory:${randomUUID()}`) {
    this.location = location;
    this.catalog = openCatalog(location);
    this.#tables = new WarehouseTables(location, this.records, {
      pipeline: "lake",
      run: 7,
      runToken: randomUUID(),
      hashOf: () => "0xabc",
    });
  }

  /** What the step's context has of tables, in one attempt at a partition. */
  attempt(attempt = 1, partition = "2024-01", isOver = false): TablesCtx {
    return this.attemptOf(step, attempt, partition, isOver) as unknown as TablesCtx;
  }

  /** The same of another step. */
  attemptOf(of: StepDefinition, attempt: number, partition = "2024-01", isOver = false): StepTables {
    const id = { step: of.name, partition, attempt };
    return this.#tables.of(of, partition, { id, signal: new AbortController().signal, isOver });
  }

  async rows(name: string): Promise<readonly unknown[]> {
    const rows = await (await this.catalog.loadTable(name)).scan<{ id: bigint }>().toArray();
    return rows.toSorted((a, b) => Number(a.id - b.id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tables[Symbol.asyncDispose]();
    await this.catalog[Symbol.asyncDispose]();
  }
}
