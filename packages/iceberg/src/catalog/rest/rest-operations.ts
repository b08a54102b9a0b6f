import { setTimeout } from "node:timers/promises";
import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../../errors.ts";
import type { TableFiles } from "../../files/table-files.ts";
import { checkRequirements } from "../../metadata/requirements.ts";
import { areApplied } from "../applied.ts";
import { backOff } from "../backoff.ts";
import type { TableName } from "../table-name.ts";
import type { TableChange, TableOperations, TableState } from "../table-operations.ts";
import type { RestTables } from "./rest-tables.ts";
import { LostReply } from "./transport.ts";

const ATTEMPTS_MAX = 5;

/** A table of a REST catalog. */
export class RestOperations implements TableOperations {
  readonly name: string;
  readonly files: TableFiles;
  readonly #table: TableName;
  readonly #tables: RestTables;
  readonly #retryMs: number;

  constructor(table: TableName, tables: RestTables, files: TableFiles, retryMs: number) {
    this.name = table.text;
    this.#table = table;
    this.#tables = tables;
    this.files = files;
    this.#retryMs = retryMs;
  }

  async load({ signal }: Abortable = {}): Promise<TableState> {
    return (await this.#tables.load(this.#table, signal)).state;
  }

  /**
   * Sends the commit. After a conflict or a reply that was lost the table is loaded to see whether the commit was applied; if it wasn't and may still be,
   * it is sent again: of two that are the same only one can meet its requirements. It isn't aborted while it is under way: its outcome would not be
   * known.
   */
  async commit(_base: TableState, change: TableChange, { signal }: Abortable = {}): Promise<TableState> {
    let mayBeApplied = false;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      try {
        return await this.#tables.commit(this.#table, change, undefined);
      } catch (error) {
        const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
        mayBeApplied ||= error instanceof LostReply;
        if (!isConflict && !(error instanceof LostReply)) throw mayBeApplied ? unknown(this.name, error) : error;
        if (error instanceof LostReply) await setTimeout(error.retryAfterMs);
        const now = await this.#loadAfter(error, mayBeApplied);
        if (areApplied(now.metadata, change.updates)) return now;
        if (isConflict && !mayBeApplied) throw error;
        this.#requireStillPossible(now, change);
        if (attempt === ATTEMPTS_MAX) throw unknown(this.name, error);
      }
      await backOff(attempt, this.#retryMs);
    }
  }

  /** Of a commit that may have been applied, and isn't seen in the table: whether it wasn't is certain only of snapshots, which stay. */
  #requireStillPossible(now: TableState, { requirements, updates }: TableChange): void {
    try {
      checkRequirements(now.metadata, requirements);
    } catch (conflict) {
      throw updates.some(({ action }) => action === "add-snapshot") ? conflict : unknown(this.name, conflict);
    }
  }

  async #loadAfter(error: IcebergError, mayBeApplied: boolean): Promise<TableState> {
    try {
      return await this.load();
    } catch (cause) {
      // a commit that was applied goes on in a table of another name
      if (mayBeApplied) throw unknown(this.name, cause);
      throw cause instanceof IcebergError && cause.code === "table-missing" ? cause : error;
    }
  }
}

function unknown(name: string, cause: unknown): IcebergError {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return new IcebergError(
    "commit-unknown",
    `whether the commit to table ${name} was applied can't be found out${why}: load the table later to see, and leave its files`,
    { cause },
  );
}
