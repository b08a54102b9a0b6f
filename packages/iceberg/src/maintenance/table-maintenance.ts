import type { Engine } from "../engine/engine.ts";
import type { ListedFile } from "../files/table-files.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import type { PartOfTable } from "../refs/table-refs.ts";
import { type ExpiredSnapshots, expireSnapshots, type ExpireOptions } from "./expire-snapshots.ts";
import { type OrphanOptions, removeOrphans } from "./remove-orphans.ts";
import { type RewriteOptions, rewriteFiles, type RewrittenFiles } from "./rewrite-files.ts";
import { rewriteManifests, type RewriteManifestsOptions } from "./rewrite-manifests.ts";

/** What keeps a table small and quick. Rows stay as they are, and others may read and write meanwhile. */
export class TableMaintenance {
  readonly #table: PartOfTable;
  readonly #engine: Engine;

  constructor(table: PartOfTable, engine: Engine) {
    this.#table = table;
    this.#engine = engine;
  }

  /** Expires snapshots and deletes the files that no snapshot reaches any more. @throws IcebergError as the function `expireSnapshots` does. */
  async expireSnapshots(options?: ExpireOptions): Promise<Omit<ExpiredSnapshots, "state">> {
    const { state, ...expired } = await expireSnapshots(this.#table.operations, options);
    this.#table.adopt(state);
    return expired;
  }

  /** Deletes the files in the table's folder that it doesn't have, none younger than 3 days by default. @throws IcebergError as the function `removeOrphans` does. */
  async removeOrphans(options?: OrphanOptions): Promise<readonly ListedFile[]> {
    return await removeOrphans(this.#table.operations, options);
  }

  /** Writes small, large and much deleted-from files anew. @throws IcebergError as the function `rewriteFiles` does. */
  async rewriteFiles(options: RewriteOptions = {}): Promise<Omit<RewrittenFiles, "commits">> {
    const { operations } = this.#table;
    const state = await operations.load({ signal: options.signal });
    const { commits, ...counts } = await rewriteFiles({ operations, state, engine: this.#engine }, options);
    this.#table.adopt(commits.at(-1)?.state ?? state);
    return counts;
  }

  /** Writes manifests anew where fewer would do. Undefined if there is nothing to do. @throws IcebergError as the function `rewriteManifests` does. */
  async rewriteManifests(options?: RewriteManifestsOptions): Promise<Snapshot | undefined> {
    const committed = await rewriteManifests(this.#table.operations, options);
    if (committed !== undefined) this.#table.adopt(committed.state);
    return committed?.snapshot;
  }
}
