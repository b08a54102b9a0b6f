/** A commit that is under way: manifests, which stay for all tries as far as they fit, and a manifest list for each. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { withSequenceNumber } from "../manifest/summary.ts";
import { type Snapshot, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { manifestsOf } from "../scan/manifest-source.ts";
import { AddedFiles } from "./added-files.ts";
import type { FileChange } from "./file-change.ts";
import { MergedManifests } from "./merged-manifests.ts";
import { NewMetadataFiles, nextSequenceNumber } from "./new-metadata-files.ts";
import { type Removed, RemovedFiles, type RemovedSelection } from "./removed-files.ts";
import { summaryOf } from "./summary.ts";

export class StagedCommit {
  readonly #change: FileChange;
  readonly #branch: string;
  readonly #written: NewMetadataFiles;
  readonly #added: AddedFiles;
  readonly #removed: RemovedFiles | undefined;
  readonly #merged: MergedManifests;
  #used: readonly string[] = [];

  constructor(files: TableFiles, change: FileChange, removed: RemovedSelection | undefined, branch: string) {
    this.#change = change;
    this.#branch = branch;
    this.#written = new NewMetadataFiles(files);
    this.#added = new AddedFiles(change, this.#written);
    this.#removed = removed && new RemovedFiles(removed, this.#written);
    this.#merged = new MergedManifests(this.#written);
  }

  /**
   * Writes what a snapshot on this table needs, and gives the snapshot.
   * @param check is given what is removed, before anything is written for this table that only it needs.
   */
  async snapshotOn(
    metadata: TableMetadata,
    nowMs: number,
    check: (removed: Removed) => Promise<void>,
    options: Abortable,
  ): Promise<Snapshot> {
    const parent = snapshotOfRef(metadata, this.#branch);
    const before = parent === undefined ? [] : await manifestsOf(this.#written.files, parent, options);
    const live = before.filter(({ addedFiles, existingFiles }) => addedFiles !== 0 || existingFiles !== 0);
    const removed = (await this.#removed?.from(metadata, live, options)) ?? { manifests: live, files: [] };
    await check(removed);
    const sequenceNumber = nextSequenceNumber(metadata);
    const added = (await this.#added.manifests(metadata, options)).map((m) => withSequenceNumber(m, sequenceNumber));
    const isOwn = (m: ManifestFile) => m.addedSnapshotId === this.#written.snapshotId;
    const carried = removed.manifests.filter((m) => !isOwn(m));
    const manifests = [
      ...added,
      ...removed.manifests.filter(isOwn),
      ...(await this.#merged.of(metadata, carried, options)),
    ];
    const list = await this.#written.list(metadata, parent?.["snapshot-id"], manifests, options);
    this.#used = [list, ...manifests.map(({ path }) => path)];
    return {
      "snapshot-id": this.#written.snapshotId,
      ...(parent && { "parent-snapshot-id": parent["snapshot-id"] }),
      "sequence-number": sequenceNumber,
      "timestamp-ms": Math.max(nowMs, metadata["last-updated-ms"]),
      "manifest-list": list,
      summary: summaryOf(
        this.#change,
        removed.files.map(({ entry, specId }) => ({ file: entry.file, specId })),
        parent,
      ),
      "schema-id": metadata["current-schema-id"],
    };
  }

  /** Deletes what only tries that came to nothing needed. */
  async discardFailed(): Promise<void> {
    await this.#written.discard(this.#used);
  }

  /** Deletes all that was written. */
  async discardAll(): Promise<void> {
    await this.#written.discard([]);
  }
}
