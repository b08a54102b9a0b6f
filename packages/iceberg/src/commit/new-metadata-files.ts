/** The manifests and manifest lists that one commit writes: under names that never repeat, and all known, so that those of no use are deleted. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { writeManifestList } from "../manifest/manifest-list.ts";
import { type NewEntry, writeManifest } from "../manifest/write-manifest.ts";
import { schemaOf, type Snapshot, specOf, type TableMetadata } from "../metadata/table-metadata.ts";
import { manifestCounts } from "../manifest/manifest-counts.ts";
import { withCounts, writeKept } from "../scan/manifest-source.ts";
import { parseSchema } from "../schema/schema.ts";
import { commitSettings } from "./settings.ts";

const SYNC_BYTES = 16;

export interface ManifestContent {
  readonly specId: number;
  readonly content: ManifestFile["content"];
  readonly entries: readonly NewEntry[];
}

export interface SnapshotContent {
  readonly parent: Snapshot | undefined;
  readonly manifests: readonly ManifestFile[];
  readonly summary: Readonly<Record<string, string>>;
}

export class NewMetadataFiles {
  readonly files: TableFiles;
  /** Below 2^53, so that every reader of JSON takes it for what it is. */
  readonly snapshotId: bigint = randomBytes(8).readBigUInt64LE() >> 11n || 1n;
  readonly #id = randomUUID();
  /** All that were begun, by path: a manifest is on its way while the next one, or the list, is made. */
  readonly #writes = new Map<string, Promise<void>>();
  /** What the last snapshot has: the others were for tries that came to nothing. */
  #used: readonly string[] = [];
  #manifests = 0;
  #lists = 0;

  constructor(files: TableFiles) {
    this.files = files;
  }

  async manifest(metadata: TableMetadata, of: ManifestContent, options: Abortable): Promise<ManifestFile> {
    const { bytes, listed } = writeManifest({
      formatVersion: writtenVersion(metadata),
      schema: schemaOf(metadata),
      olderSchemas: metadata.schemas.map(parseSchema),
      spec: specOf(metadata, of.specId),
      content: of.content,
      entries: of.entries,
      snapshotId: this.snapshotId,
      sequenceNumber: nextSequenceNumber(metadata),
      sync: randomBytes(SYNC_BYTES),
    });
    const path = `${commitSettings(metadata).folder}/${this.#id}-m${this.#manifests++}.avro`;
    await [...this.#writes.values()].at(-1);
    this.#write(path, bytes, options);
    return { path, ...listed };
  }

  /** Writes a list of manifests, and gives the snapshot that they are on a table. */
  async snapshot(
    metadata: TableMetadata,
    { parent, manifests, summary }: SnapshotContent,
    options: Abortable,
  ): Promise<Snapshot> {
    const path = `${commitSettings(metadata).folder}/snap-${this.snapshotId}-${++this.#lists}-${this.#id}.avro`;
    const formatVersion = writtenVersion(metadata);
    const bytes = writeManifestList({
      formatVersion,
      snapshotId: this.snapshotId,
      parentSnapshotId: parent?.["snapshot-id"],
      sequenceNumber: nextSequenceNumber(metadata),
      manifests: formatVersion === 1 ? manifests : await withCounts(this.files, manifests, options),
      sync: randomBytes(SYNC_BYTES),
    });
    this.#write(path, bytes, options);
    await Promise.all(this.#writes.values());
    this.#used = [path, ...manifests.map((m) => m.path)];
    return {
      "snapshot-id": this.snapshotId,
      ...(parent && { "parent-snapshot-id": parent["snapshot-id"] }),
      "sequence-number": nextSequenceNumber(metadata),
      "timestamp-ms": Math.max(Date.now(), metadata["last-updated-ms"]),
      "manifest-list": path,
      summary: { ...summary, ...manifestCounts(manifests, this.snapshotId) },
      "schema-id": metadata["current-schema-id"],
    };
  }

  /** Deletes what was written for tries that came to nothing. */
  async discardFailed(): Promise<void> {
    await this.#discard(this.#used);
  }

  /** Deletes all that was written. */
  async discardAll(): Promise<void> {
    await this.#discard([]);
  }

  /** Deletes what was written and isn't kept, as far as that can be: the rest are orphans. */
  async #discard(kept: readonly string[]): Promise<void> {
    await Promise.allSettled(this.#writes.values()); // what is deleted before it is there would stay
    const keeping = new Set(kept);
    const useless = [...this.#writes.keys()].filter((path) => !keeping.has(path));
    if (useless.length > 0) await this.files.delete(useless).catch(() => undefined);
  }

  #write(path: string, bytes: Uint8Array, options: Abortable): void {
    const write = writeKept(this.files, path, bytes, options);
    write.catch(() => undefined); // the list waits for all
    this.#writes.set(path, write); // also one that fails: it may have been applied
  }
}

/** The sequence number of a snapshot that is added to a table; version 1 has none. */
export function nextSequenceNumber(metadata: TableMetadata): number {
  return metadata["format-version"] === 1 ? 0 : metadata["last-sequence-number"] + 1;
}

function writtenVersion(metadata: TableMetadata): 1 | 2 {
  return metadata["format-version"] === 1 ? 1 : 2;
}
