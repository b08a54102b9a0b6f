/** What this package writes and reads of the tables of metadata_tables.py. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  type DataFile,
  type JsonObject,
  type ManifestEntry,
  type ManifestFile,
  type PrimitiveValue,
  type TypedPartitionField,
  metadataText,
  parseMetadata,
  readManifest,
  readManifestList,
  schemaOf,
  schemaToJson,
  snapshotOfRef,
  specOf,
  specToJson,
  typedFields,
  valueText,
  writeManifest,
  writeManifestList,
} from "@orcajs/iceberg";

export const VERSIONS = [1, 2] as const;
type Version = (typeof VERSIONS)[number];

/** Tables that PyIceberg wrote. */
export const FIXTURES = path.join(import.meta.dirname, "fixtures");

/** What PyIceberg reads of them. */
export function readByPyIceberg(version: Version): unknown {
  return JSON.parse(readFileSync(path.join(FIXTURES, `v${version}.read.json`), "utf8"));
}

/** What is in the folder, in the form that metadata_tables.py prints. */
export async function readTables(folder: string, version: Version): Promise<unknown> {
  const metadata = parseMetadata(readFileSync(path.join(folder, `v${version}.metadata.json`), "utf8"));
  const snapshot = snapshotOfRef(metadata)!;
  const [schema, spec] = [schemaOf(metadata), specOf(metadata)];
  const manifest = readFileSync(path.join(folder, `v${version}.manifest.avro`));
  const listed = await readManifestList(readFileSync(path.join(folder, `v${version}.list.avro`)), "list");
  return {
    schema: { "identifier-field-ids": [], ...(schemaToJson(schema) as JsonObject) },
    spec: specToJson(spec),
    snapshot: [String(snapshot["snapshot-id"]), String(snapshot["parent-snapshot-id"]), snapshot["manifest-list"]],
    refs: Object.fromEntries(Object.entries(metadata.refs).map(([name, ref]) => [name, String(ref["snapshot-id"])])),
    manifests: await Promise.all(
      listed.map(async (m) => ({
        "length is right": m.length === manifest.length,
        specId: m.specId,
        content: m.content === "data" ? 0 : 1,
        sequenceNumber: m.sequenceNumber,
        minSequenceNumber: m.minSequenceNumber,
        addedSnapshotId: String(m.addedSnapshotId),
        files: [m.addedFiles, m.existingFiles, m.deletedFiles],
        rows: [m.addedRows, m.existingRows, m.deletedRows],
        partitions: m.partitions!.map((p) => [p.containsNull, ...[p.lower, p.upper].map((b) => (b ? hex(b) : null))]),
        entries: (await entriesOf(manifest, m)).map((e) => entryOf(e, typedFields(spec, schema))),
      })),
    ),
  };
}

/** Writes the tables of a folder into another, from what is read of them. */
export async function rewriteTables(from: string, to: string, version: Version): Promise<void> {
  const metadata = parseMetadata(readFileSync(path.join(from, `v${version}.metadata.json`), "utf8"));
  const [listed] = await readManifestList(readFileSync(path.join(from, `v${version}.list.avro`)), "list");
  const entries = await entriesOf(readFileSync(path.join(from, `v${version}.manifest.avro`)), listed!);
  const { bytes, listed: row } = writeManifest({
    formatVersion: version,
    content: "data",
    schema: schemaOf(metadata),
    spec: specOf(metadata),
    snapshotId: listed!.addedSnapshotId,
    sequenceNumber: listed!.sequenceNumber,
    entries: entries.map((e) => (e.status === "added" ? { status: e.status, file: e.file } : e)),
    sync: new Uint8Array(16).fill(7),
  });
  const list = writeManifestList({
    formatVersion: version,
    snapshotId: listed!.addedSnapshotId,
    parentSnapshotId: undefined,
    sequenceNumber: listed!.sequenceNumber,
    manifests: [{ ...row, path: "file:///table/manifest.avro" }],
    sync: new Uint8Array(16).fill(7),
  });
  writeFileSync(path.join(to, `v${version}.metadata.json`), metadataText(metadata));
  writeFileSync(path.join(to, `v${version}.manifest.avro`), bytes);
  writeFileSync(path.join(to, `v${version}.list.avro`), list);
}

async function entriesOf(bytes: Uint8Array, listed: ManifestFile): Promise<readonly ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for await (const block of readManifest(bytes, listed)) entries.push(...block);
  return entries;
}

function entryOf({ status, snapshotId, sequenceNumber, file }: ManifestEntry, fields: readonly TypedPartitionField[]) {
  return {
    status: ["existing", "added", "deleted"].indexOf(status),
    snapshotId: String(snapshotId),
    sequenceNumber,
    path: file.path,
    format: file.format,
    partition: fields.map((field, i) => partitionValue(field, file.partition[i]!)),
    recordCount: file.recordCount,
    sizeBytes: file.sizeBytes,
    ...statisticsOf(file),
    splitOffsets: file.splitOffsets,
    sortOrderId: file.sortOrderId,
    keyMetadata: hex(file.keyMetadata!),
  };
}

function statisticsOf(file: DataFile) {
  return {
    columnSizes: Object.fromEntries(file.columnSizes!),
    valueCounts: Object.fromEntries(file.valueCounts!),
    nullCounts: Object.fromEntries(file.nullCounts!),
    nanCounts: Object.fromEntries(file.nanCounts!),
    lowerBounds: hexes(file.lowerBounds!),
    upperBounds: hexes(file.upperBounds!),
  };
}

function partitionValue({ type }: TypedPartitionField, value: PrimitiveValue | null): string | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return hex(value);
  return type.kind === "decimal" ? valueText(type, value) : String(value);
}

function hexes(bounds: ReadonlyMap<number, Uint8Array>) {
  return Object.fromEntries(Array.from(bounds, ([id, bytes]) => [id, hex(bytes)]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
