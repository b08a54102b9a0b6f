import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import type { SnapshotRef } from "../metadata/table-metadata.ts";
import {
  createBranch,
  createTag,
  fastForward,
  type NewRefOptions,
  removeRef,
  replaceRef,
  type Retention,
  setRetention,
} from "./refs.ts";
import { type BranchOptions, cherryPick, rollbackTo } from "./rollback.ts";

/** What a part of a table works with. */
export interface PartOfTable {
  readonly operations: TableOperations;
  readonly state: () => TableState;
  /** Takes up what the part has committed. */
  readonly adopt: (state: TableState) => void;
}

/** The branches and tags of a table. Changes are made to them as they are then, whatever the table's object has seen. */
export class TableRefs {
  readonly #table: PartOfTable;

  constructor(table: PartOfTable) {
    this.#table = table;
  }

  /** All branches and tags, by name. */
  all(): Readonly<Record<string, SnapshotRef>> {
    return this.#table.state().metadata.refs;
  }

  /** @throws IcebergError `invalid-change` if there is one of the name already; `snapshot-missing`. */
  async createBranch(name: string, options?: NewRefOptions): Promise<void> {
    await this.#change((operations) => createBranch(operations, name, options));
  }

  /** @throws IcebergError `invalid-change` if there is one of the name already; `snapshot-missing`. */
  async createTag(name: string, options?: NewRefOptions): Promise<void> {
    await this.#change((operations) => createTag(operations, name, options));
  }

  /** Sets a branch or tag to any snapshot of the table, whatever it was before. @throws IcebergError `snapshot-missing`. */
  async replace(name: string, snapshotId: bigint, options?: Abortable): Promise<void> {
    await this.#change((operations) => replaceRef(operations, name, snapshotId, options));
  }

  /** Removes a branch or tag; its snapshots stay until they expire. @throws IcebergError `invalid-change` for `main`; `snapshot-missing`. */
  async remove(name: string, options?: Abortable): Promise<void> {
    await this.#change((operations) => removeRef(operations, name, options));
  }

  /** Says how long a branch or tag is kept. What isn't given is the table's to say. @throws IcebergError `invalid-change`; `snapshot-missing`. */
  async setRetention(name: string, retention: Retention, options?: Abortable): Promise<void> {
    await this.#change((operations) => setRetention(operations, name, retention, options));
  }

  /**
   * Moves a branch forward to where another, or a tag, is.
   * @throws IcebergError `invalid-change` if the branch has snapshots that the other hasn't; `snapshot-missing`.
   */
  async fastForward(branch: string, to: string, options?: Abortable): Promise<void> {
    await this.#change((operations) => fastForward(operations, branch, to, options));
  }

  /**
   * Puts a branch back to one of its snapshots, by id or as it was at a time. What came after stays in the table until it expires.
   * @throws IcebergError `invalid-change` if the branch doesn't follow on the snapshot; `snapshot-missing`.
   */
  async rollbackTo(to: { readonly id: bigint } | { readonly at: Date }, options?: BranchOptions): Promise<void> {
    await this.#change((operations) => rollbackTo(operations, to, options));
  }

  /**
   * Appends to a branch what a snapshot of another appended.
   * @throws IcebergError `unsupported` if the snapshot is no append; `invalid-change` if the branch has it already; `snapshot-missing`.
   */
  async cherryPick(snapshotId: bigint, options?: BranchOptions): Promise<void> {
    await this.#change((operations) => cherryPick(operations, snapshotId, options));
  }

  async #change(change: (operations: TableOperations) => Promise<TableState>): Promise<void> {
    this.#table.adopt(await change(this.#table.operations));
  }
}
