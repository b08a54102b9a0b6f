/** The tables that an attempt reads, each at the snapshot that its step read first. */
import type { Field, Scan, Table } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import type { Column } from "../../core/datasets/column.ts";
import { nameOf, type DatasetOrName } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import type { TableRecords } from "../../core/table-records.ts";
import type { TableFile } from "../../core/table-files.ts";
import { checkColumns } from "../declared.ts";
import type { TablesUser } from "../step-tables.ts";
import { storedWhere } from "../where.ts";
import { checkReadable } from "./drift.ts";
import { columnsOfTable } from "./iceberg-columns.ts";
import { emptyRows, withNulls } from "./null-columns.ts";
import type { Pinned, Selection } from "./step-relation.ts";
import { wherePredicate } from "./where-predicate.ts";
import { tableFilesOf } from "./table-file.ts";
import type { Warehouse } from "./warehouse.ts";

interface PinnedTable {
  readonly table: Table | undefined;
  readonly snapshot: Snapshot | undefined;
}

export class PinnedReads {
  readonly #warehouse: Warehouse;
  readonly #records: TableRecords;
  readonly #user: TablesUser;
  readonly #pins = new Map<string, Promise<PinnedTable>>();
  /** What has been read, as `lake.raw@123`. */
  readonly #made: string[] = [];

  constructor(warehouse: Warehouse, records: TableRecords, user: TablesUser) {
    this.#warehouse = warehouse;
    this.#records = records;
    this.#user = user;
  }

  /**
   * The rows of a dataset.
   *
   * @param selection.columns default: all that the dataset declares, or, if it is only named, that the table has.
   * @throws OrcaError `snapshot-expired`; `rows-misfit` for rows that there can't be; `step-over`; `table-drifted`; `invalid-dataset` for a column that isn't there.
   */
  async rowsOf(dataset: DatasetOrName, { columns, where = {} }: Selection): Promise<Pinned> {
    const name = nameOf(dataset);
    const { table, snapshot } = await this.#pinned(name);
    const { engine } = this.#warehouse;
    const declared = typeof dataset === "string" ? undefined : dataset.columns;
    if (snapshot === undefined) {
      const there = table && this.#readable(name, declared, table.schema.fields);
      const known = declared ?? there;
      if (known !== undefined) storedWhere({ name, columns: known }, where);
      const read = columnsNamed(known ?? unknownColumns(columns ?? [`there is no table '${name}' yet`]), columns);
      return { snapshot, rows: emptyRows(engine, read) };
    }
    const all = this.#scanOf(name, table, snapshot);
    const there = this.#readable(name, declared, all.schema.fields); // those that there were then
    const wanted = columnsNamed(declared ?? there, columns);
    const lacking = wanted.filter((c) => !there.some((t) => t.name === c.name));
    let rows = all;
    for (const [column, value] of Object.entries(storedWhere({ name, columns: declared ?? there }, where)))
      if (there.some((t) => t.name === column)) rows = rows.where(wherePredicate({ [column]: value }));
      else if (value !== null) return { snapshot, rows: emptyRows(engine, wanted) };
    const kept = wanted.filter((c) => !lacking.includes(c)).map((c) => c.name);
    const read = kept.length === 0 ? rows : rows.columns(...kept); // rows of no columns can't be counted
    return { snapshot, rows: lacking.length === 0 ? read : withNulls(engine, read, wanted, lacking) };
  }

  /** The data files of a dataset. @throws OrcaError `snapshot-expired`. */
  async filesOf(name: string): Promise<readonly TableFile[]> {
    const { table, snapshot } = await this.#pinned(name);
    if (snapshot === undefined) return [];
    const tasks = await this.#scanOf(name, table, snapshot).files();
    return tableFilesOf(
      table!,
      tasks.map(({ file }) => file),
    );
  }

  /** The snapshot of a dataset that is read, if it is read. */
  async snapshotOf(name: string): Promise<Snapshot | undefined> {
    return (await this.#pins.get(name))?.snapshot;
  }

  /** What has been read so far: `lake.raw@123,lake.more@none`. */
  text(): string {
    return this.#made.join(",");
  }

  /** Reads all that such a text of an attempt before has: what that one committed was made from it, whatever this one would read. */
  async readAgain(text: string): Promise<void> {
    // a location may have commas
    const names = Array.from(text.matchAll(/(.+?)@(?:\d+|none)(?:,|$)/g), ([, name]) => name!);
    await Promise.all(names.map((name) => this.#pinned(name)));
  }

  #scanOf(name: string, table: Table | undefined, snapshot: Snapshot): Scan {
    if (table?.snapshots().some((s) => s["snapshot-id"] === snapshot))
      return table.scan({ snapshot: { id: snapshot } });
    const whatHappened = table === undefined ? "is gone with its table" : "was expired";
    throw new OrcaError(
      "snapshot-expired",
      `snapshot ${snapshot} of '${name}', which step '${this.#user.id.step}' read first, ${whatHappened}: run it anew to read what the table has now`,
    );
  }

  async #pinned(name: string): Promise<PinnedTable> {
    let pinning = this.#pins.get(name);
    if (pinning === undefined) this.#pins.set(name, (pinning = this.#pin(name)));
    return await pinning;
  }

  /** The columns of a table. @throws OrcaError `table-drifted` if rows can't be read from them as they are declared. */
  #readable(name: string, declared: readonly Column[] | undefined, fields: readonly Field[]): readonly Column[] {
    const columns = columnsOfTable(fields);
    if (declared !== undefined) checkReadable(name, declared, columns);
    return columns;
  }

  async #pin(dataset: string): Promise<PinnedTable> {
    const table = await this.#warehouse.find(dataset);
    const location = table?.location ?? this.#warehouse.location;
    const current = table?.scan().snapshot?.["snapshot-id"];
    const { id, isOver } = this.#user;
    // a next attempt may read at this very moment, and they would not know of each other
    if (isOver) throw new OrcaError("step-over", `step '${id.step}' reads '${dataset}' after its attempt was over`);
    const snapshot = await this.#records.read(id, { dataset, location, snapshot: current });
    this.#made.push(`${dataset}@${snapshot ?? "none"}`);
    return { table, snapshot };
  }
}

/** Of a table that is only named, and isn't there: SQL that asks for others is told what there is. */
function unknownColumns(names: readonly string[]): readonly Column[] {
  return names.map((name) => ({ name, type: { type: "string" }, nullable: true }));
}

function columnsNamed(columns: readonly Column[], wanted: readonly string[] | undefined): readonly Column[] {
  if (wanted === undefined) return columns;
  const names = columns.map((c) => c.name);
  checkColumns(names, wanted);
  return wanted.map((name) => columns[names.indexOf(name)]!);
}
