/** What an attempt commits to tables: each commit lands once, however often its step is tried. */
import {
  and,
  eq,
  findCommit,
  IcebergError,
  isNull,
  type Literal,
  type Predicate,
  type Snapshot as IcebergSnapshot,
  type Table,
} from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import { nameOf, type DatasetOrName } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import type { Row } from "../../core/sql/relation.ts";
import type { TableRecords } from "../../core/table-records.ts";
import type { TablesUser } from "../step-tables.ts";
import { commitsDiffer, textOfCommit } from "../step-commits.ts";
import { type KnownColumns, storedWhere } from "../where.ts";
import type { CommitProperties } from "./commit-properties.ts";
import { columnsOfTable } from "./iceberg-columns.ts";
import { StepRelation } from "./step-relation.ts";
import type { Warehouse } from "./warehouse.ts";
import { asMisfit, writtenRows } from "./written-rows.ts";

/** What a commit does to which dataset. */
export interface Commit {
  /** In a sentence: `appends to`. */
  readonly verb: "appends to" | "overwrites";
  readonly dataset: DatasetOrName;
  /** Of an overwrite: what the rows that it replaces equal. */
  readonly where: Row | undefined;
}

interface NewCommit {
  readonly known: KnownColumns;
  readonly where: Row | undefined;
  /** In a sentence: `appends to 'lake.clean'`. */
  readonly does: string;
  readonly number: number;
}

/** How often a commit is tried that others are in the way of. */
const CONFLICTS_MAX = 20;

export class WarehouseCommits {
  readonly #warehouse: Warehouse;
  readonly #records: TableRecords;
  readonly #user: TablesUser;
  readonly #properties: CommitProperties;
  #count = 0;

  constructor(warehouse: Warehouse, records: TableRecords, user: TablesUser, properties: CommitProperties) {
    this.#warehouse = warehouse;
    this.#records = records;
    this.#user = user;
    this.#properties = properties;
  }

  /**
   * Makes the next commit of the attempt, and tries it again where others were in the way and the rows can be had again: those of a generator can't.
   *
   * @throws OrcaError `rows-misfit`; `commits-differ`; `step-over`; `table-drifted`; `table-missing`.
   */
  async make(commit: Commit, given: unknown): Promise<Snapshot> {
    const number = ++this.#count;
    const isRepeatable = given instanceof StepRelation || Array.isArray(given);
    for (let tries = 1; ; tries++)
      try {
        return await this.#try(number, commit, given);
      } catch (error) {
        const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
        if (!isConflict || !isRepeatable || tries === CONFLICTS_MAX) throw error;
      }
  }

  async #try(number: number, { verb, dataset, where: asked }: Commit, given: unknown): Promise<Snapshot> {
    const name = nameOf(dataset);
    const table = await this.#warehouse.ensure(dataset);
    const known = { name, columns: columnsOfTable(table.schema.fields) };
    const where = asked && storedWhere(known, asked);
    const does = textOfCommit({ verb, dataset: name, where });
    const landed = findCommit(table, this.#properties.once(number));
    if (landed !== undefined) this.#checkSame(number, does, landed.summary?.["orca.commit.does"]);
    else if (this.#user.isOver)
      throw new OrcaError("step-over", `step '${this.#user.id.step}' ${does} after its attempt was over`);
    const snapshot = landed ?? (await this.#write(table, { known, where, does, number }, given));
    const id = snapshot["snapshot-id"];
    await this.#records.committed(this.#user.id, {
      number,
      dataset: name,
      location: table.location,
      snapshot: id,
      operation: snapshot.summary?.["operation"] ?? "append",
    });
    return id;
  }

  async #write(table: Table, { known, where, does, number }: NewCommit, given: unknown): Promise<IcebergSnapshot> {
    const { signal } = this.#user;
    if (given instanceof StepRelation) await given.pin();
    const once = this.#properties.once(number);
    const options = { once, properties: { ...this.#properties.others(), "orca.commit.does": does }, signal };
    try {
      const rows = writtenRows(known, given);
      if (where === undefined) return await table.append(rows, options);
      return await table.overwrite(rows, { ...options, where: predicateOf(where) });
    } catch (error) {
      throw asMisfit(known.name, error);
    }
  }

  #checkSame(number: number, does: string, before: string | undefined): void {
    if (before === does) return;
    throw commitsDiffer(this.#user.id.step, number, does, before ?? "did something else");
  }
}

/** A filter for rows whose columns equal these values. */
function predicateOf(where: Row): Predicate {
  return and(
    ...Object.entries(where).map(([name, value]) => (value === null ? isNull(name) : eq(name, value as Literal))),
  );
}
