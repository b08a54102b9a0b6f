/**
 * The metadata of a table ("Table Metadata"), in the names and form of its JSON: what other writers put there and this package doesn't
 * know stays where it is through every change. Version 1 is read into the fields of version 2.
 */
import { IcebergError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import { parseSpec, type PartitionSpec } from "../partition/spec.ts";
import { parseSortOrder, type SortOrder } from "../partition/sort-order.ts";
import { parseSchema, type Schema } from "../schema/schema.ts";

export const FORMAT_VERSIONS = [1, 2, 3] as const;
export type FormatVersion = (typeof FORMAT_VERSIONS)[number];

export interface TableMetadata {
  readonly "format-version": FormatVersion;
  /** Left out by some writers of version 1. */
  readonly "table-uuid"?: string | undefined;
  readonly location: string;
  /** 0 in version 1, which has none. */
  readonly "last-sequence-number": number;
  readonly "last-updated-ms": number;
  readonly "last-column-id": number;
  /** By `parseSchema`. */
  readonly schemas: readonly JsonObject[];
  readonly "current-schema-id": number;
  /** By `parseSpec`. */
  readonly "partition-specs": readonly JsonObject[];
  readonly "default-spec-id": number;
  readonly "last-partition-id": number;
  readonly properties: Readonly<Record<string, string>>;
  /** Undefined for a table without a snapshot. */
  readonly "current-snapshot-id"?: bigint | undefined;
  readonly snapshots: readonly Snapshot[];
  readonly "snapshot-log": readonly SnapshotLogEntry[];
  readonly "metadata-log": readonly MetadataLogEntry[];
  /** By `parseSortOrder`. */
  readonly "sort-orders": readonly JsonObject[];
  readonly "default-sort-order-id": number;
  /** Branches and tags; `main` is the current snapshot's. */
  readonly refs: Readonly<Record<string, SnapshotRef>>;
  readonly statistics: readonly StatisticsFile[];
  readonly "partition-statistics": readonly StatisticsFile[];
  /** Version 3: the next row's id ("Row Lineage"). */
  readonly "next-row-id"?: number | undefined;
}

/** A state of the table ("Snapshots"). */
export interface Snapshot {
  readonly "snapshot-id": bigint;
  readonly "parent-snapshot-id"?: bigint | undefined;
  /** 0 in version 1. */
  readonly "sequence-number": number;
  readonly "timestamp-ms": number;
  /** Old tables of version 1 have `manifests` instead. */
  readonly "manifest-list"?: string | undefined;
  /** Paths of manifests. */
  readonly manifests?: readonly string[] | undefined;
  /** `operation` (append, replace, overwrite or delete), counts, and any others. */
  readonly summary?: Readonly<Record<string, string>> | undefined;
  readonly "schema-id"?: number | undefined;
  /** Version 3. */
  readonly "first-row-id"?: number | undefined;
  readonly "added-rows"?: number | undefined;
}

/** A branch or tag ("Snapshot References"), and how long it and its snapshots are kept. */
export interface SnapshotRef {
  readonly "snapshot-id": bigint;
  readonly type: "branch" | "tag";
  readonly "min-snapshots-to-keep"?: number | undefined;
  readonly "max-snapshot-age-ms"?: number | bigint | undefined;
  readonly "max-ref-age-ms"?: number | bigint | undefined;
}

/** Which snapshot became current when. */
export interface SnapshotLogEntry {
  readonly "snapshot-id": bigint;
  readonly "timestamp-ms": number;
}

/** A former metadata file. */
export interface MetadataLogEntry {
  readonly "metadata-file": string;
  readonly "timestamp-ms": number;
}

/** A file of statistics of a snapshot ("Table Statistics", "Partition Statistics"). */
export interface StatisticsFile {
  readonly "snapshot-id": bigint;
  readonly "statistics-path": string;
  readonly "file-size-in-bytes": number;
}

export const MAIN = "main";

/** A schema of the table, or the current one. */
export function schemaOf(metadata: TableMetadata, id = metadata["current-schema-id"]): Schema {
  return parseSchema(
    found(
      metadata.schemas.find((s) => (s["schema-id"] ?? 0) === id),
      `schema ${id}`,
    ),
  );
}

/** A partition spec of the table, or the default one. */
export function specOf(metadata: TableMetadata, id = metadata["default-spec-id"]): PartitionSpec {
  return parseSpec(
    found(
      metadata["partition-specs"].find((s) => s["spec-id"] === id),
      `partition spec ${id}`,
    ),
  );
}

/** A sort order of the table, or the default one. */
export function sortOrderOf(metadata: TableMetadata, id = metadata["default-sort-order-id"]): SortOrder {
  return parseSortOrder(
    found(
      metadata["sort-orders"].find((s) => s["order-id"] === id),
      `sort order ${id}`,
    ),
  );
}

/** A snapshot by its id; undefined if the table has none such, or no more. */
export function snapshotById(metadata: TableMetadata, id: bigint): Snapshot | undefined {
  return metadata.snapshots.find((s) => s["snapshot-id"] === id);
}

/** The snapshot of a branch or tag, `main` unless told otherwise; undefined if there is none. */
export function snapshotOfRef(metadata: TableMetadata, name = MAIN): Snapshot | undefined {
  const ref = Object.hasOwn(metadata.refs, name) ? metadata.refs[name] : undefined;
  return ref === undefined ? undefined : snapshotById(metadata, ref["snapshot-id"]);
}

/**
 * The snapshot that was current at a time (Appendix F, "Point in Time Reads"); undefined if there was none, or it isn't known any more. Its
 * rows may have been removed: the snapshot itself is looked up by `snapshotById`.
 */
export function snapshotIdAt(metadata: TableMetadata, timeMs: number): bigint | undefined {
  return metadata["snapshot-log"].findLast((entry) => entry["timestamp-ms"] <= timeMs)?.["snapshot-id"];
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new IcebergError("invalid-metadata", `the table has no ${what}`);
  return value;
}
