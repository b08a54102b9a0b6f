/** Manifest lists: the manifests of a snapshot ("Manifest Lists"). */
import { openAvro, writeAvro } from "../avro/container.ts";
import { decoderOf } from "../avro/decode.ts";
import { encoderOf } from "../avro/encode.ts";
import type { AvroSchema } from "../avro/schema.ts";
import { IcebergError } from "../errors.ts";
import { keyOf, listOf, optional, required } from "./avro-fields.ts";
import { countOf, idOf, optionalCount, optionalOf, wordOf } from "./count.ts";
import type { ManifestFile, PartitionSummary } from "./data-file.ts";

const CONTENT = ["data", "deletes"] as const;

export interface NewManifestList {
  readonly formatVersion: 1 | 2;
  readonly snapshotId: bigint;
  readonly parentSnapshotId: bigint | undefined;
  readonly sequenceNumber: number;
  readonly manifests: readonly ManifestFile[];
  /** 16 random bytes. */
  readonly sync: Uint8Array;
}

/** The bytes of a manifest list of version 1 or 2 ("Manifest Lists"). */
export function writeManifestList(list: NewManifestList): Uint8Array {
  const { formatVersion, snapshotId, parentSnapshotId, sequenceNumber, manifests, sync } = list;
  const schema = SCHEMAS[formatVersion];
  const metadata = new Map([
    ["snapshot-id", String(snapshotId)],
    ["parent-snapshot-id", parentSnapshotId === undefined ? "null" : String(parentSnapshotId)],
    ...(formatVersion === 1 ? [] : ([["sequence-number", String(sequenceNumber)]] as const)),
    ["format-version", String(formatVersion)],
  ]);
  const rows = manifests.map((m) => ({ ...m, content: CONTENT.indexOf(m.content) }));
  return writeAvro({ schema, metadata }, encoderOf(schema, keyOf), rows, sync);
}

/**
 * The manifests of a manifest list of any version.
 *
 * @param path for errors.
 * @throws IcebergError `invalid-manifest` if it is corrupt or cut off.
 */
export async function readManifestList(
  from: Uint8Array | AsyncIterable<Uint8Array>,
  path: string,
): Promise<readonly ManifestFile[]> {
  try {
    const { schema, blocks } = await openAvro(from);
    const decode = decoderOf(schema, keyOf);
    const manifests: ManifestFile[] = [];
    for await (const { count, reader } of blocks)
      for (let i = 0; i < count; i++) manifests.push(manifestOf(decode(reader) as Readonly<Record<string, unknown>>));
    return manifests;
  } catch (cause) {
    if (!(cause instanceof IcebergError)) throw cause;
    throw new IcebergError(cause.code, `manifest list ${path} can't be read: ${cause.message}`, { cause });
  }
}

function manifestOf(raw: Readonly<Record<string, unknown>>): ManifestFile {
  const { path, addedSnapshotId, partitions, keyMetadata } = raw;
  if (typeof path !== "string") throw new IcebergError("invalid-manifest", "a manifest has no path");
  const count = (key: string, what: string) => optionalCount(raw[key], what);
  const [addedFiles, addedRows] = [count("addedFiles", "a number of files"), count("addedRows", "a number of rows")];
  const [existingFiles, existingRows] = [
    count("existingFiles", "a number of files"),
    count("existingRows", "a number of rows"),
  ];
  // readers pass over manifests without files
  if ((addedFiles === 0 && (addedRows ?? 0) > 0) || (existingFiles === 0 && (existingRows ?? 0) > 0))
    throw new IcebergError("invalid-manifest", `manifest ${path} is said to have rows, but no files with them`);
  return {
    path,
    length: countOf(raw["length"], "a manifest's length"),
    specId: countOf(raw["specId"], "a partition spec"),
    content: wordOf(raw["content"] ?? 0, CONTENT, "a manifest's content"),
    sequenceNumber: optionalCount(raw["sequenceNumber"], "a sequence number") ?? 0,
    minSequenceNumber: optionalCount(raw["minSequenceNumber"], "a sequence number") ?? 0,
    addedSnapshotId: idOf(addedSnapshotId ?? -1),
    addedFiles,
    existingFiles,
    deletedFiles: count("deletedFiles", "a number of files"),
    addedRows,
    existingRows,
    deletedRows: count("deletedRows", "a number of rows"),
    partitions: (optionalOf(partitions, Array, "partition summaries") as readonly RawSummary[] | undefined)?.map(
      summaryOf,
    ),
    keyMetadata: optionalOf(keyMetadata, Uint8Array, "key metadata") as Uint8Array | undefined,
    firstRowId: optionalCount(raw["firstRowId"], "a row id"),
  };
}

interface RawSummary {
  readonly containsNull?: boolean;
  readonly containsNaN?: boolean | null;
  readonly lower?: Uint8Array | null;
  readonly upper?: Uint8Array | null;
}

function summaryOf(raw: RawSummary): PartitionSummary {
  if (typeof raw !== "object") throw new IcebergError("invalid-manifest", "a partition's summary has no fields");
  const { containsNull, containsNaN, lower, upper } = raw;
  return {
    containsNull: containsNull ?? true,
    containsNaN: containsNaN ?? undefined,
    lower: lower ?? undefined,
    upper: upper ?? undefined,
  };
}

const SUMMARIES = listOf(508, {
  type: "record",
  name: "r508",
  fields: [required(509, "boolean"), optional(518, "boolean"), optional(510, "bytes"), optional(511, "bytes")],
});

const SCHEMAS: Readonly<Record<1 | 2, AvroSchema>> = {
  1: {
    type: "record",
    name: "manifest_file",
    fields: [
      required(500, "string"),
      required(501, "long"),
      required(502, "int"),
      required(503, "long"),
      optional(504, "int"),
      optional(505, "int"),
      optional(506, "int"),
      optional(507, SUMMARIES),
      optional(512, "long"),
      optional(513, "long"),
      optional(514, "long"),
      optional(519, "bytes"),
    ],
  },
  2: {
    type: "record",
    name: "manifest_file",
    fields: [
      required(500, "string"),
      required(501, "long"),
      required(502, "int"),
      required(517, "int"),
      required(515, "long"),
      required(516, "long"),
      required(503, "long"),
      required(504, "int"),
      required(505, "int"),
      required(506, "int"),
      required(512, "long"),
      required(513, "long"),
      required(514, "long"),
      optional(507, SUMMARIES),
      optional(519, "bytes"),
    ],
  },
};
