/** What a manifest list says of a manifest: counts, sequence numbers and a summary of partitions ("Manifest Lists"). */
import type { TypedPartitionField } from "../partition/spec.ts";
import { promoted } from "../schema/promote.ts";
import { lowerBound, upperBound } from "../values/bounds.ts";
import { compareValues } from "../values/compare.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { EntryStatus, ManifestFile, PartitionSummary } from "./data-file.ts";
import type { NewManifest } from "./write-manifest.ts";

/** The row of a manifest in the manifest list, but for its path and length. */
export function summarise(
  { content, spec, snapshotId, sequenceNumber, entries }: NewManifest,
  fields: readonly TypedPartitionField[],
): Omit<ManifestFile, "path" | "length"> {
  const files = { existing: 0, added: 0, deleted: 0 } satisfies Record<EntryStatus, number>;
  const rows = { existing: 0, added: 0, deleted: 0 } satisfies Record<EntryStatus, number>;
  let minSequenceNumber = sequenceNumber;
  for (const { status, file, sequenceNumber: own } of entries) {
    files[status]++;
    rows[status] += file.recordCount;
    if (status !== "deleted") minSequenceNumber = Math.min(minSequenceNumber, own ?? sequenceNumber);
  }
  return {
    specId: spec.id,
    content,
    sequenceNumber,
    minSequenceNumber,
    addedSnapshotId: snapshotId,
    addedFiles: files.added,
    existingFiles: files.existing,
    deletedFiles: files.deleted,
    addedRows: rows.added,
    existingRows: rows.existing,
    deletedRows: rows.deleted,
    partitions: fields.map((field, i) =>
      partitionSummary(
        field,
        entries.map(({ file }) => file.partition[i] ?? null),
      ),
    ),
  };
}

/** The row of a manifest for another try of its commit, whose sequence number is higher. */
export function withSequenceNumber(manifest: ManifestFile, sequenceNumber: number): ManifestFile {
  // the lowest is its own only if all files are new, or as new
  const isNew = manifest.minSequenceNumber === manifest.sequenceNumber;
  return {
    ...manifest,
    sequenceNumber,
    minSequenceNumber: isNew ? sequenceNumber : manifest.minSequenceNumber,
  };
}

function partitionSummary({ type }: TypedPartitionField, values: Iterable<PrimitiveValue | null>): PartitionSummary {
  let [containsNull, containsNaN] = [false, false];
  let [lowest, highest]: (PrimitiveValue | undefined)[] = [];
  for (const written of values) {
    const value = promoted(type, written);
    if (value === null) containsNull = true;
    else if (Number.isNaN(value)) containsNaN = true;
    else {
      if (lowest === undefined || compareValues(value, lowest) < 0) lowest = value;
      if (highest === undefined || compareValues(value, highest) > 0) highest = value;
    }
  }
  return {
    containsNull,
    containsNaN,
    lower: lowest === undefined ? undefined : lowerBound(type, lowest, Infinity),
    upper: highest === undefined ? undefined : upperBound(type, highest, Infinity),
  };
}
