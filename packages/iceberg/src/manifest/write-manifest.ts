/** Writing manifests of versions 1 and 2 ("Manifests"). */
import { writeAvro } from "../avro/container.ts";
import { encoderOf } from "../avro/encode.ts";
import type { AvroSchema } from "../avro/schema.ts";
import { stringifyJson } from "../json/json.ts";
import { type PartitionSpec, specFieldsToJson, typedFields, type TypedPartitionField } from "../partition/spec.ts";
import { type Schema, schemaToJson } from "../schema/schema.ts";
import { keyOf, listOf, mapOf, optional, required } from "./avro-fields.ts";
import type { DataFile, EntryStatus, ManifestFile } from "./data-file.ts";
import { partitionRecord, partitionToAvro } from "./partition-avro.ts";
import { summarise } from "./summary.ts";

/** An entry to be written. What is left out is inherited from the manifest list when the manifest is read. */
export interface NewEntry {
  readonly status: EntryStatus;
  readonly snapshotId?: bigint | undefined;
  /** Left out for added files, so that a commit that is tried again needn't write the manifest anew. */
  readonly sequenceNumber?: number | undefined;
  readonly fileSequenceNumber?: number | undefined;
  readonly file: DataFile;
}

export interface NewManifest {
  readonly formatVersion: 1 | 2;
  readonly content: "data" | "deletes";
  readonly schema: Schema;
  /** The table's other schemas, if the spec is of columns that were dropped since. */
  readonly olderSchemas?: readonly Schema[];
  readonly spec: PartitionSpec;
  /** The snapshot that adds the manifest, and its sequence number (0 in version 1). */
  readonly snapshotId: bigint;
  readonly sequenceNumber: number;
  readonly entries: readonly NewEntry[];
  /** 16 random bytes. */
  readonly sync: Uint8Array;
}

const STATUS = { existing: 0, added: 1, deleted: 2 } as const satisfies Record<EntryStatus, number>;
const CONTENT = { data: 0, "position-deletes": 1, "equality-deletes": 2 } as const;
/** A field of version 1 that must be written and means nothing: the value is the reference implementation's. */
const BLOCK_SIZE_BYTES = 64 * 1024 * 1024;

/** A manifest's bytes, and what the manifest list says of it, but for its path. */
export function writeManifest(manifest: NewManifest): {
  readonly bytes: Uint8Array;
  readonly listed: Omit<ManifestFile, "path">;
} {
  const { formatVersion, schema, spec, content, entries } = manifest;
  const fields = typedFields(spec, schema, manifest.olderSchemas);
  const avro = entrySchema(formatVersion, fields);
  const metadata = new Map([
    ["schema", stringifyJson(schemaToJson(schema))],
    ["schema-id", String(schema.id)],
    ["partition-spec", stringifyJson(specFieldsToJson(spec.fields))],
    ["partition-spec-id", String(spec.id)],
    ["format-version", String(formatVersion)],
    ["content", content],
  ]);
  const records = entries.map(({ file, ...entry }) => ({
    ...entry,
    status: STATUS[entry.status],
    snapshotId: entry.snapshotId ?? (formatVersion === 1 ? manifest.snapshotId : undefined),
    file: {
      ...file,
      content: CONTENT[file.content],
      format: file.format.toUpperCase(),
      partition: partitionToAvro(fields, file.partition),
      blockSizeBytes: BLOCK_SIZE_BYTES,
    },
  }));
  const bytes = writeAvro({ schema: avro, metadata }, encoderOf(avro, keyOf), records, manifest.sync);
  return { bytes, listed: { ...summarise(manifest, fields), length: bytes.length } };
}

/** The schema of a manifest's entries: record `manifest_entry`, and `r2` for the files. */
function entrySchema(formatVersion: 1 | 2, fields: readonly TypedPartitionField[]): AvroSchema {
  const isFirst = formatVersion === 1;
  return {
    type: "record",
    name: "manifest_entry",
    fields: [
      required(0, "int"),
      ...(isFirst ? [required(1, "long")] : [optional(1, "long"), optional(3, "long"), optional(4, "long")]),
      required(2, { type: "record", name: "r2", fields: fileFields(isFirst, fields) }),
    ],
  };
}

function fileFields(isFirst: boolean, fields: readonly TypedPartitionField[]) {
  return [
    ...(isFirst ? [] : [required(134, "int")]),
    required(100, "string"),
    required(101, "string"),
    required(102, partitionRecord(fields)),
    required(103, "long"),
    required(104, "long"),
    ...(isFirst ? [required(105, "long")] : []),
    optional(108, mapOf(117, 118, "long")),
    optional(109, mapOf(119, 120, "long")),
    optional(110, mapOf(121, 122, "long")),
    optional(137, mapOf(138, 139, "long")),
    optional(125, mapOf(126, 127, "bytes")),
    optional(128, mapOf(129, 130, "bytes")),
    optional(131, "bytes"),
    optional(132, listOf(133, "long")),
    ...(isFirst ? [] : [optional(135, listOf(136, "int"))]),
    optional(140, "int"),
    ...(isFirst ? [] : [optional(143, "string")]),
  ];
}
