/** Reading manifests of all versions ("Manifests"), with what their entries inherit from the manifest list. */
import { openAvro } from "../avro/container.ts";
import { decoderOf } from "../avro/decode.ts";
import type { Decode } from "../avro/reader.ts";
import type { AvroComplex, AvroField, AvroSchema } from "../avro/schema.ts";
import { IcebergError } from "../errors.ts";
import { parseJson } from "../json/json.ts";
import { type PartitionField, specFieldsAt } from "../partition/spec.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { keyOf } from "./avro-fields.ts";
import { countOf, idOf, optionalCount, optionalOf, wordOf } from "./count.ts";
import type { DataFile, ManifestEntry, ManifestFile } from "./data-file.ts";
import { fromAvro } from "./partition-avro.ts";

const STATUS = ["existing", "added", "deleted"] as const;
const CONTENT = ["data", "position-deletes", "equality-deletes"] as const;

/** The fields that only filters need: they are most of a manifest. */
const STATISTICS: ReadonlySet<string> = new Set([
  "columnSizes",
  "valueCounts",
  "nullCounts",
  "nanCounts",
  "lowerBounds",
  "upperBounds",
]);

/** The fields that tell whether an entry is wanted, and which row ids it takes. */
const SKIMMED: ReadonlySet<string> = new Set(["status", "file", "partition", "recordCount", "firstRowId"]);

export interface ReadManifestOptions {
  /** Counts, sizes and bounds of columns: all, none, or those of some fields. Default: all. */
  readonly statistics?: boolean | ReadonlySet<number>;
  /** Which partitions' files are wanted: entries of others are passed over, which is much faster than reading them. Default: all. */
  readonly select?: (partition: DataFile["partition"]) => boolean;
}

/**
 * The entries of a manifest, a block at a time, so that a large one is never whole in memory. What is null in the file is inherited
 * from its row in the manifest list ("Sequence Number Inheritance", "First Row ID Inheritance").
 *
 * @param from the file, in one piece or as it arrives.
 * @throws IcebergError `invalid-manifest` if it is corrupt or cut off.
 */
export async function* readManifest(
  from: Uint8Array | AsyncIterable<Uint8Array>,
  listed: Pick<ManifestFile, "path" | "sequenceNumber" | "addedSnapshotId" | "content" | "firstRowId"> &
    Partial<Pick<ManifestFile, "addedFiles" | "existingFiles">>,
  { statistics = true, select }: ReadManifestOptions = {},
): AsyncGenerator<readonly ManifestEntry[], void, void> {
  try {
    const { schema, metadata, blocks } = await openAvro(from);
    checkContent(metadata, listed);
    const hasStatistics = statistics !== false;
    const decode = decoderOf(
      schema,
      (field) => {
        const key = keyOf(field);
        return hasStatistics || key === undefined || !STATISTICS.has(key) ? key : undefined;
      },
      typeof statistics === "boolean" ? undefined : statistics,
    );
    const skimming = select && { select, read: skimmerOf(schema) };
    const partitionOf = partitionReader(schema, specFields(metadata));
    let live = 0;
    let nextRowId = listed.content === "data" ? listed.firstRowId : undefined;
    for await (const { count, reader } of blocks) {
      const entries: ManifestEntry[] = [];
      for (let i = 0; i < count; i++) {
        if (skimming !== undefined) {
          const { position } = reader;
          const { status, file } = skimming.read(reader) as {
            readonly status: unknown;
            readonly file: Raw | null | undefined;
          };
          if (file && !skimming.select(partitionOf(file["partition"]))) {
            if (status !== STATUS.indexOf("deleted")) live++;
            // it has ids for its rows nonetheless
            if (
              nextRowId !== undefined &&
              status !== STATUS.indexOf("deleted") &&
              typeof file["firstRowId"] !== "number"
            )
              nextRowId += countOf(file["recordCount"], "a record count");
            continue;
          }
          reader.seek(position);
        }
        const entry = entryOf(decode(reader) as Raw, listed, partitionOf);
        if (entry.status !== "deleted") live++;
        const isNumbered = nextRowId !== undefined && entry.status !== "deleted" && entry.file.firstRowId === undefined;
        entries.push(isNumbered ? { ...entry, file: { ...entry.file, firstRowId: nextRowId } } : entry);
        if (isNumbered) nextRowId! += entry.file.recordCount;
      }
      yield entries;
    }
    checkCount(live, listed);
  } catch (cause) {
    if (!(cause instanceof IcebergError)) throw cause;
    throw new IcebergError(cause.code, `manifest ${listed.path} can't be read: ${cause.message}`, { cause });
  }
}

/** What reads only what tells whether an entry is wanted. */
function skimmerOf(schema: AvroSchema): Decode {
  return decoderOf(schema, (field) => {
    const key = keyOf(field);
    return key !== undefined && (SKIMMED.has(key) || isPartitionKey(key)) ? key : undefined;
  });
}

/** Of data or of deletes: version 1 has data alone, and doesn't say so. */
function checkContent(metadata: ReadonlyMap<string, string>, { content }: Pick<ManifestFile, "content">): void {
  const own = metadata.get("content");
  if (own !== undefined && own !== content)
    throw new IcebergError("invalid-manifest", `it is one of ${own}, and its manifest list says ${content}`);
}

/** More files than the manifest list says are read all the same, as writers may count otherwise; with fewer, rows would be missing. */
function checkCount(
  live: number,
  { addedFiles, existingFiles }: Partial<Pick<ManifestFile, "addedFiles" | "existingFiles">>,
): void {
  if (addedFiles !== undefined && existingFiles !== undefined && live < addedFiles + existingFiles)
    throw new IcebergError(
      "invalid-manifest",
      `it has ${live} files, and its manifest list says ${addedFiles + existingFiles}`,
    );
}

/** An entry as Avro has it, not checked yet. */
type Raw = Readonly<Record<string, unknown>>;

type PartitionOf = (partition: unknown) => readonly (PrimitiveValue | null)[];

function entryOf(
  raw: Raw,
  listed: Pick<ManifestFile, "sequenceNumber" | "addedSnapshotId">,
  partitionOf: PartitionOf,
): ManifestEntry {
  const status = wordOf(raw["status"], STATUS, "an entry's status");
  if (typeof raw["file"] !== "object" || raw["file"] === null)
    throw new IcebergError("invalid-manifest", "an entry has no data file");
  // only added files inherit, and all of version 1, whose number is 0
  const inherited = status === "added" || listed.sequenceNumber === 0 ? listed.sequenceNumber : undefined;
  return {
    status,
    snapshotId: idOf(raw["snapshotId"] ?? listed.addedSnapshotId),
    sequenceNumber: optionalCount(raw["sequenceNumber"], "a sequence number") ?? inherited,
    fileSequenceNumber: optionalCount(raw["fileSequenceNumber"], "a file's sequence number") ?? inherited,
    file: fileOf(raw["file"] as Raw, partitionOf),
  };
}

function fileOf(raw: Raw, partitionOf: PartitionOf): DataFile {
  if (typeof raw["path"] !== "string" || typeof raw["format"] !== "string")
    throw new IcebergError("invalid-manifest", "a data file has no path or format");
  return {
    content: wordOf(raw["content"] ?? 0, CONTENT, "a file's content"),
    path: raw["path"],
    format: raw["format"].toLowerCase(),
    partition: partitionOf(raw["partition"]),
    recordCount: countOf(raw["recordCount"], "a record count"),
    sizeBytes: countOf(raw["sizeBytes"], "a file's size"),
    columnSizes: optionalOf(raw["columnSizes"], Map, "column sizes") as DataFile["columnSizes"],
    valueCounts: optionalOf(raw["valueCounts"], Map, "value counts") as DataFile["valueCounts"],
    nullCounts: optionalOf(raw["nullCounts"], Map, "null counts") as DataFile["nullCounts"],
    nanCounts: optionalOf(raw["nanCounts"], Map, "NaN counts") as DataFile["nanCounts"],
    lowerBounds: optionalOf(raw["lowerBounds"], Map, "lower bounds") as DataFile["lowerBounds"],
    upperBounds: optionalOf(raw["upperBounds"], Map, "upper bounds") as DataFile["upperBounds"],
    keyMetadata: optionalOf(raw["keyMetadata"], Uint8Array, "key metadata") as DataFile["keyMetadata"],
    splitOffsets: optionalOf(raw["splitOffsets"], Array, "split offsets") as DataFile["splitOffsets"],
    equalityIds: optionalOf(raw["equalityIds"], Array, "equality ids") as DataFile["equalityIds"],
    sortOrderId: optionalCount(raw["sortOrderId"], "a sort order"),
    referencedDataFile: typeof raw["referencedDataFile"] === "string" ? raw["referencedDataFile"] : undefined,
    firstRowId: optionalCount(raw["firstRowId"], "a row id"),
    contentOffset: optionalCount(raw["contentOffset"], "an offset"),
    contentSizeBytes: optionalCount(raw["contentSizeBytes"], "a size"),
  };
}

/** Whether a field is one of a partition, which are called by their ids. */
function isPartitionKey(key: string): boolean {
  return key.charCodeAt(0) <= 0x39;
}

function specFields(metadata: ReadonlyMap<string, string>): readonly PartitionField[] {
  const text = metadata.get("partition-spec");
  if (text === undefined) throw new IcebergError("invalid-manifest", "it has no partition-spec in its metadata");
  return specFieldsAt({ json: parseJson(text, "partition-spec"), path: "partition-spec" });
}

/** What reads a partition's values in the order of the spec's fields, by the types that the file has for them. */
function partitionReader(schema: AvroSchema, spec: readonly PartitionField[]): PartitionOf {
  const columns = avroFields(avroFields(schema).find((f) => f["field-id"] === 2)?.type);
  const partition = avroFields(columns.find((f) => f["field-id"] === 102)?.type);
  const readers = spec.map(({ fieldId }) => {
    const field = partition.find((f) => f["field-id"] === fieldId);
    if (field === undefined)
      throw new IcebergError("invalid-manifest", `its files have no partition field ${fieldId}, which its spec has`);
    return { key: keyOf(field)!, convert: fromAvro(field.type) };
  });
  return (value) => readers.map(({ key, convert }) => convert((value as Readonly<Record<string, unknown>>)[key]));
}

function avroFields(schema: AvroSchema | undefined): readonly AvroField[] {
  return (schema as AvroComplex | undefined)?.fields ?? [];
}
