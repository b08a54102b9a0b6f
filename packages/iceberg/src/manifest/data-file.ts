/** What manifests say of the files of a table ("Manifests"). */
import type { PrimitiveValue } from "../values/value.ts";

/** A file of rows, or of deletes. */
export interface DataFile {
  readonly content: "data" | "position-deletes" | "equality-deletes";
  /** The whole URI. */
  readonly path: string;
  /** In lower case: `parquet`, `avro`, `orc` or `puffin`. */
  readonly format: string;
  /** One value for each field of the manifest's partition spec. */
  readonly partition: readonly (PrimitiveValue | null)[];
  readonly recordCount: number;
  /** Exact: readers find the footer by it. */
  readonly sizeBytes: number;
  /** Statistics by field id; those under lists and maps have no bounds. */
  readonly columnSizes?: ReadonlyMap<number, number> | undefined;
  /** Of values with nulls and NaNs. */
  readonly valueCounts?: ReadonlyMap<number, number> | undefined;
  readonly nullCounts?: ReadonlyMap<number, number> | undefined;
  readonly nanCounts?: ReadonlyMap<number, number> | undefined;
  /** As `lowerBound` and `upperBound` give them (Appendix D). */
  readonly lowerBounds?: ReadonlyMap<number, Uint8Array> | undefined;
  readonly upperBounds?: ReadonlyMap<number, Uint8Array> | undefined;
  readonly keyMetadata?: Uint8Array | undefined;
  /** Where row groups start, ascending. */
  readonly splitOffsets?: readonly number[] | undefined;
  /** The fields that equality deletes compare. */
  readonly equalityIds?: readonly number[] | undefined;
  readonly sortOrderId?: number | undefined;
  /** The one file that position deletes are for. */
  readonly referencedDataFile?: string | undefined;
  /** Version 3: the id of the first row ("Row Lineage"). */
  readonly firstRowId?: number | undefined;
  /** Version 3: where a deletion vector is in its Puffin file. */
  readonly contentOffset?: number | undefined;
  readonly contentSizeBytes?: number | undefined;
}

export type EntryStatus = "existing" | "added" | "deleted";

/** A file in a manifest. */
export interface ManifestEntry {
  readonly status: EntryStatus;
  /** Which snapshot added the file, or deleted it. */
  readonly snapshotId: bigint;
  /** How new the file's rows are: deletes apply to files with lower ones ("Sequence Number Inheritance"). Undefined in version 2 only where a writer left it out against the rules. */
  readonly sequenceNumber: number | undefined;
  /** When the file itself was added. */
  readonly fileSequenceNumber: number | undefined;
  readonly file: DataFile;
}

/** A summary of one partition field over a manifest's files. */
export interface PartitionSummary {
  readonly containsNull: boolean;
  readonly containsNaN: boolean | undefined;
  /** Undefined if all values are null or NaN. */
  readonly lower: Uint8Array | undefined;
  readonly upper: Uint8Array | undefined;
}

/** A manifest, as a manifest list has it ("Manifest Lists"). Counts that version 1 may leave out are undefined. */
export interface ManifestFile {
  readonly path: string;
  readonly length: number;
  readonly specId: number;
  readonly content: "data" | "deletes";
  /** Of the snapshot that added the manifest; 0 in version 1. */
  readonly sequenceNumber: number;
  /** The lowest of its files that aren't deleted. */
  readonly minSequenceNumber: number;
  readonly addedSnapshotId: bigint;
  readonly addedFiles: number | undefined;
  readonly existingFiles: number | undefined;
  readonly deletedFiles: number | undefined;
  readonly addedRows: number | undefined;
  readonly existingRows: number | undefined;
  readonly deletedRows: number | undefined;
  /** One for each field of the spec. */
  readonly partitions: readonly PartitionSummary[] | undefined;
  readonly keyMetadata?: Uint8Array | undefined;
  /** Version 3: the id of the first row of its files that have none ("First Row ID Assignment"). */
  readonly firstRowId?: number | undefined;
}
