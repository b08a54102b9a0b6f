/** What an attempt commits to tables: each commit lands once, however often its step is tried. */
import { findCommit, IcebergError } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import { nameOf } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import type { TableRecords } from "../../core/table-records.ts";
import type { TablesUser } from "../step-tables.ts";
import type { Commit } from "./commit.ts";
import { CommitProperties, type CodeOfRun } from "./commit-properties.ts";
import { columnsOfTable } from "./iceberg-columns.ts";
import type { PinnedReads } from "./pinned-reads.ts";
import type { Warehouse } from "./warehouse.ts";

/** How often a commit is tried that others are in the way of. */
const CONFLICTS_MAX = 20;

/** What the attempts of a run have in common. */
export interface WarehouseOfRun {
  readonly warehouse: Warehouse;
  readonly records: TableRecords;
  readonly code: CodeOfRun;
}

export class WarehouseCommits {
  readonly #warehouse: Warehouse;
  readonly #records: TableRecords;
  readonly #user: TablesUser;
  readonly #reads: PinnedReads;
  readonly #properties: CommitProperties;
  readonly #written: readonly string[];
  #count = 0;

  /** @param written the datasets that the step may write. */
  constructor(
    { warehouse, records, code }: WarehouseOfRun,
    user: TablesUser,
    reads: PinnedReads,
    written: readonly string[],
  ) {
    this.#written = written;
    this.#warehouse = warehouse;
    this.#records = records;
    this.#user = user;
    this.#reads = reads;
    this.#properties = new CommitProperties(code, user.id);
  }

  /**
   * Makes the next commit of the attempt, and tries it again where others were in the way and that can be done.
   *
   * @throws OrcaError `rows-misfit`; `files-misfit`; `commits-differ`; `step-over`; `table-drifted`; `table-missing`.
   */
  async make(commit: Commit): Promise<Snapshot> {
    const number = ++this.#count;
    for (let tries = 1; ; tries++)
      try {
        return await this.#try(number, commit);
      } catch (error) {
        const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
        if (!isConflict || !commit.isRepeatable || tries === CONFLICTS_MAX) throw error;
      }
  }

  async #try(number: number, commit: Commit): Promise<Snapshot> {
    const { signal, id: attempt } = this.#user;
    const name = nameOf(commit.dataset);
    const table = await this.#warehouse.ensure(commit.dataset);
    const { does, make } = commit.of({ name, columns: columnsOfTable(table.schema.fields) });
    const once = this.#properties.once(number);
    const landed = findCommit(table, once);
    if (landed === undefined && this.#user.isOver)
      throw new OrcaError("step-over", `step '${attempt.step}' ${does} after its attempt was over`);
    if (landed === undefined && attempt.attempt > 1) await this.#checkOthers(number, does, name);
    const properties = () => ({ ...this.#properties.others(this.#reads.text()), "orca.commit.does": does });
    const snapshot = landed ?? (await make(table, { once, properties, signal }));
    // another attempt's may have landed at the very moment
    const { summary = {} } = snapshot;
    this.#checkSame(number, does, summary["orca.commit.does"]);
    await this.#reads.readAgain(summary["orca.reads"] ?? "");
    const id = snapshot["snapshot-id"];
    await this.#records.committed(attempt, {
      number,
      dataset: name,
      location: table.location,
      snapshot: id,
      operation: summary["operation"] ?? "append",
      code: summary["orca.code"],
      rowsAdded: countIn(summary["added-records"]),
      rowsTotal: countIn(summary["total-records"]),
    });
    return id;
  }

  /** An attempt before this one may have made the commit to another table. */
  async #checkOthers(number: number, does: string, dataset: string): Promise<void> {
    for (const name of this.#written) {
      const table = name === dataset ? undefined : await this.#warehouse.find(name);
      const landed = table && findCommit(table, this.#properties.once(number));
      if (landed !== undefined) this.#checkSame(number, does, landed.summary?.["orca.commit.does"]);
    }
  }

  /** @throws OrcaError `commits-differ` if another commit has landed in the place of this one: its snapshot would pass for one of rows that were never written. */
  #checkSame(number: number, does: string, before: string = "did something else"): void {
    if (before === does) return;
    throw new OrcaError(
      "commits-differ",
      `commit ${number} of step '${this.#user.id.step}' ${does}, and that of an earlier attempt ${before}: a step must make its commits in the same order at every attempt`,
    );
  }
}

/** What a summary says in digits. */
function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
