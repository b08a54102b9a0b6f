/** The metadata files of an append that is under way: manifests, which stay for all tries, and a manifest list for each. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { writeManifestList } from "../manifest/manifest-list.ts";
import { withSequenceNumber } from "../manifest/summary.ts";
import { writeManifest } from "../manifest/write-manifest.ts";
import { schemaOf, type Snapshot, snapshotOfRef, specOf, type TableMetadata } from "../metadata/table-metadata.ts";
import { manifestsOf } from "../scan/manifest-source.ts";
import { parseSchema } from "../schema/schema.ts";
import type { FileChange, FileOfSpec } from "./file-change.ts";
import { summaryOf } from "./summary.ts";

const SYNC_BYTES = 16;

export class StagedAppend {
  readonly snapshotId: bigint;
  readonly #files: TableFiles;
  readonly #change: FileChange;
  readonly #id = randomUUID();
  #manifests: readonly ManifestFile[] | undefined;
  #lists: readonly string[] = [];

  constructor(files: TableFiles, change: FileChange) {
    this.#files = files;
    this.#change = change;
    this.snapshotId = newSnapshotId();
  }

  /** Writes what a snapshot on this table needs, and gives the snapshot. */
  async snapshotOn(metadata: TableMetadata, nowMs: number, options: Abortable): Promise<Snapshot> {
    const parent = snapshotOfRef(metadata);
    const formatVersion = metadata["format-version"] as 1 | 2;
    const sequenceNumber = formatVersion === 1 ? 0 : metadata["last-sequence-number"] + 1;
    this.#manifests ??= await this.#writeManifests(metadata, sequenceNumber, options);
    const before = parent === undefined ? [] : await manifestsOf(this.#files, parent, options);
    const list = `${metadataFolder(metadata)}/snap-${this.snapshotId}-${this.#lists.length + 1}-${this.#id}.avro`;
    this.#lists = [...this.#lists, list];
    const bytes = writeManifestList({
      formatVersion,
      snapshotId: this.snapshotId,
      parentSnapshotId: parent?.["snapshot-id"],
      sequenceNumber,
      manifests: [...this.#manifests.map((m) => withSequenceNumber(m, sequenceNumber)), ...before],
      sync: randomBytes(SYNC_BYTES),
    });
    await this.#files.write(list, bytes, options);
    return {
      "snapshot-id": this.snapshotId,
      ...(parent && { "parent-snapshot-id": parent["snapshot-id"] }),
      "sequence-number": sequenceNumber,
      "timestamp-ms": Math.max(nowMs, metadata["last-updated-ms"]),
      "manifest-list": list,
      summary: summaryOf(this.#change, parent),
      "schema-id": metadata["current-schema-id"],
    };
  }

  /** Deletes what was written for tries that came to nothing, as far as that can be. */
  async discard(kept: Snapshot | undefined): Promise<void> {
    const lists = this.#lists.filter((list) => list !== kept?.["manifest-list"]);
    const manifests = kept === undefined ? (this.#manifests ?? []).map(({ path }) => path) : [];
    await this.#files.delete([...lists, ...manifests]).catch(() => undefined); // they are orphans then
  }

  async #writeManifests(
    metadata: TableMetadata,
    sequenceNumber: number,
    options: Abortable,
  ): Promise<readonly ManifestFile[]> {
    const bySpec = Map.groupBy(this.#change.add, ({ specId }: FileOfSpec) => specId);
    const manifests: ManifestFile[] = [];
    for (const [specId, files] of bySpec) {
      const path = `${metadataFolder(metadata)}/${this.#id}-m${manifests.length}.avro`;
      const { bytes, listed } = writeManifest({
        formatVersion: metadata["format-version"] as 1 | 2,
        content: "data",
        schema: schemaOf(metadata),
        olderSchemas: metadata.schemas.map(parseSchema),
        spec: specOf(metadata, specId),
        snapshotId: this.snapshotId,
        sequenceNumber,
        entries: files.map(({ file }) => ({ status: "added", snapshotId: this.snapshotId, file })),
        sync: randomBytes(SYNC_BYTES),
      });
      await this.#files.write(path, bytes, options);
      manifests.push({ path, ...listed });
    }
    return manifests;
  }
}

function metadataFolder({ location, properties }: TableMetadata): string {
  return properties["write.metadata.path"]?.replace(/\/+$/, "") ?? `${location}/metadata`;
}

/** Below 2^53, so that every reader of JSON takes it for what it is. */
function newSnapshotId(): bigint {
  return randomBytes(8).readBigUInt64LE() >> 11n || 1n;
}
