/** A change of files that is under way: manifests, which stay for all tries as far as they fit, and a manifest list for each. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { withSequenceNumber } from "../manifest/summary.ts";
import { type Snapshot, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { manifestsOf } from "../scan/manifest-source.ts";
import { AddedFiles } from "./added-files.ts";
import type { StagedSnapshot } from "./commit-snapshot.ts";
import type { FileChange } from "./file-change.ts";
import { MergedManifests } from "./merged-manifests.ts";
import { NewMetadataFiles, nextSequenceNumber } from "./new-metadata-files.ts";
import { type Removed, RemovedFiles, type RemovedSelection } from "./removed-files.ts";
import { summaryOf } from "./summary.ts";

export interface StagedChange {
  readonly change: FileChange;
  readonly removed: RemovedSelection | undefined;
  readonly branch: string;
  /** Is given what is removed from a table. @throws what ends the commit. */
  readonly check: (metadata: TableMetadata, removed: Removed) => Promise<void>;
  /** Is called when the commit surely failed. */
  readonly discardAdded: () => Promise<void>;
}

export class StagedFiles implements StagedSnapshot {
  readonly #of: StagedChange;
  readonly #written: NewMetadataFiles;
  readonly #added: AddedFiles;
  readonly #removed: RemovedFiles | undefined;
  readonly #merged: MergedManifests;

  constructor(files: TableFiles, of: StagedChange) {
    this.#of = of;
    this.#written = new NewMetadataFiles(files);
    this.#added = new AddedFiles(of.change, this.#written);
    this.#removed = of.removed && new RemovedFiles(of.removed, this.#written);
    this.#merged = new MergedManifests(this.#written);
  }

  async snapshotOn(metadata: TableMetadata, options: Abortable): Promise<Snapshot> {
    const { change, branch, check } = this.#of;
    const parent = snapshotOfRef(metadata, branch);
    const before = parent === undefined ? [] : await manifestsOf(this.#written.files, parent, options);
    const live = before.filter(({ addedFiles, existingFiles }) => addedFiles !== 0 || existingFiles !== 0);
    const removed = (await this.#removed?.from(metadata, live, options)) ?? { manifests: live, files: [] };
    await check(metadata, removed);
    const sequenceNumber = nextSequenceNumber(metadata);
    const added = (await this.#added.manifests(metadata, options)).map((m) => withSequenceNumber(m, sequenceNumber));
    const isOwn = (m: ManifestFile) => m.addedSnapshotId === this.#written.snapshotId;
    const carried = removed.manifests.filter((m) => !isOwn(m));
    const manifests = [
      ...added,
      ...removed.manifests.filter(isOwn),
      ...(await this.#merged.of(metadata, carried, options)),
    ];
    const gone = removed.files.map(({ entry, specId }) => ({ file: entry.file, specId }));
    const summary = summaryOf(change, gone, parent);
    return await this.#written.snapshot(metadata, { parent, manifests, summary }, options);
  }

  async discardFailed(): Promise<void> {
    await this.#written.discardFailed();
  }

  async discardAll(): Promise<void> {
    await this.#written.discardAll();
    await this.#of.discardAdded();
  }
}
