/** A table of many files that aren't there: what planning reads of it is. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  applyUpdates,
  type Field,
  lowerBound,
  metadataText,
  newTable,
  schemaOf,
  specOf,
  upperBound,
  writeManifest,
  writeManifestList,
} from "@orcajs/iceberg";

const FILES_A_MANIFEST = 1_000;
const SNAPSHOT = 1n;
const FIELDS: readonly Field[] = [
  { id: 1, name: "day", required: true, type: { kind: "date" } },
  { id: 2, name: "id", required: true, type: { kind: "long" } },
];

/**
 * Makes a table that is partitioned by day, with a file a day in manifests of a thousand: as many writers have them.
 * @returns the path of its metadata file.
 */
export function makePlannedTable(folder: string, files: number): string {
  mkdirSync(folder, { recursive: true });
  const created = newTable({
    fields: FIELDS,
    partitionBy: [{ column: "day" }],
    location: folder,
    uuid: "f79c3e09-677c-4bbd-a479-3f349cb785e7",
    nowMs: 1,
  });
  const long = { kind: "long" } as const;
  const manifests = Array.from({ length: Math.ceil(files / FILES_A_MANIFEST) }, (_, m) => {
    const count = Math.min(FILES_A_MANIFEST, files - m * FILES_A_MANIFEST);
    const entries = Array.from({ length: count }, (_, i) => {
      // days lie in all manifests, so that their summaries prune none
      const day = i * Math.ceil(files / FILES_A_MANIFEST) + m;
      return {
        status: "added" as const,
        file: {
          content: "data" as const,
          path: path.join(folder, `data/day=${day}/${day}.parquet`),
          format: "parquet",
          partition: [day],
          recordCount: 1_000,
          sizeBytes: 100_000,
          valueCounts: new Map([
            [1, 1_000],
            [2, 1_000],
          ]),
          nullCounts: new Map([
            [1, 0],
            [2, 0],
          ]),
          lowerBounds: new Map([[2, lowerBound(long, BigInt(day))]]),
          upperBounds: new Map([[2, upperBound(long, BigInt(day + 1_000))!]]),
        },
      };
    });
    const { bytes, listed } = writeManifest({
      formatVersion: 2,
      content: "data",
      schema: schemaOf(created),
      spec: specOf(created),
      snapshotId: SNAPSHOT,
      sequenceNumber: 1,
      entries,
      sync: new Uint8Array(16),
    });
    const file = path.join(folder, `m${m}.avro`);
    writeFileSync(file, bytes);
    return { ...listed, path: file, sequenceNumber: 1, minSequenceNumber: 1 };
  });
  const list = path.join(folder, "list.avro");
  const lists = {
    formatVersion: 2,
    snapshotId: SNAPSHOT,
    parentSnapshotId: undefined,
    sequenceNumber: 1,
    manifests,
  } as const;
  writeFileSync(list, writeManifestList({ ...lists, sync: new Uint8Array(16) }));
  const snapshot = {
    "snapshot-id": SNAPSHOT,
    "sequence-number": 1,
    "timestamp-ms": 2,
    "manifest-list": list,
    summary: { operation: "append" },
    "schema-id": 0,
  };
  const updates = [
    { action: "add-snapshot", snapshot },
    { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": SNAPSHOT },
  ] as const;
  const metadata = applyUpdates(created, updates, { nowMs: 2 });
  const file = path.join(folder, "00001-planned.metadata.json");
  writeFileSync(file, metadataText(metadata));
  return file;
}
