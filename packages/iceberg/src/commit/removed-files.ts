/** Files taken out of a table: only the manifests that have them are written anew, in which they are entries of status DELETED ("Manifest Entry Fields"). */
import type { Abortable } from "@orcajs/objectstore";
import type { ManifestEntry, ManifestFile } from "../manifest/data-file.ts";
import { withSequenceNumber } from "../manifest/summary.ts";
import type { NewEntry } from "../manifest/write-manifest.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { inParallel } from "../in-parallel.ts";
import { liveEntries, MANIFESTS_AT_ONCE } from "../scan/manifest-source.ts";
import type { EntryOfSpec } from "../scan/plan.ts";
import { type NewMetadataFiles, nextSequenceNumber } from "./new-metadata-files.ts";

/** Which files are removed. */
export interface RemovedSelection {
  /** False if a manifest surely has none of them. */
  mayBeIn(metadata: TableMetadata, manifest: ManifestFile): boolean;
  has(metadata: TableMetadata, entry: EntryOfSpec): boolean;
}

interface Outcome {
  readonly manifest: ManifestFile;
  readonly removed: readonly ManifestEntry[];
}

export interface Removed {
  /** The manifests without the files. */
  readonly manifests: readonly ManifestFile[];
  readonly files: readonly EntryOfSpec[];
}

export class RemovedFiles {
  readonly #selection: RemovedSelection;
  readonly #written: NewMetadataFiles;
  /** By the path of the manifest as it was. */
  readonly #outcomes = new Map<string, Outcome>();

  constructor(selection: RemovedSelection, written: NewMetadataFiles) {
    this.#selection = selection;
    this.#written = written;
  }

  /** Manifests are read and written once, however often the commit is tried. */
  async from(metadata: TableMetadata, manifests: readonly ManifestFile[], options: Abortable): Promise<Removed> {
    const files: EntryOfSpec[] = [];
    const left = await inParallel(MANIFESTS_AT_ONCE, manifests, async (manifest) => {
      if (!this.#selection.mayBeIn(metadata, manifest)) return manifest;
      const outcome = this.#outcomes.get(manifest.path) ?? (await this.#removeFrom(metadata, manifest, options));
      this.#outcomes.set(manifest.path, outcome);
      for (const entry of outcome.removed) files.push({ entry, specId: manifest.specId });
      if (outcome.removed.length === 0) return manifest;
      return withSequenceNumber(outcome.manifest, nextSequenceNumber(metadata));
    });
    return { manifests: left, files };
  }

  async #removeFrom(metadata: TableMetadata, manifest: ManifestFile, options: Abortable): Promise<Outcome> {
    const { files, snapshotId } = this.#written;
    const { specId, content } = manifest;
    const isRemoved = (entry: ManifestEntry) => this.#selection.has(metadata, { entry, specId });
    // most manifests have none: statistics, which are most of their bytes, are read of those that do
    const skimmed = await liveEntries(files, manifest, { ...options, statistics: false });
    if (!skimmed.some(isRemoved)) return { manifest, removed: [] };
    const entries = await liveEntries(files, manifest, options);
    const removed = entries.filter(isRemoved);
    const changed = entries.map((entry) =>
      isRemoved(entry) ? { ...entry, status: "deleted" as const, snapshotId } : existing(entry),
    );
    return {
      manifest: await this.#written.manifest(metadata, { specId, content, entries: changed }, options),
      removed,
    };
  }
}

/** An entry as a manifest has it that is written anew: with the sequence numbers that it inherited. */
export function existing(entry: ManifestEntry): NewEntry {
  return { ...entry, status: "existing" };
}
