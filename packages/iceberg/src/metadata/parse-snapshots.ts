/** The parts of table metadata that are about snapshots, from their JSON. */
import {
  asArray,
  asInteger,
  asLong,
  asMap,
  asNumberOrLong,
  asObject,
  asString,
  asWord,
  at,
  optional,
  type Place,
} from "../json/read.ts";
import type { MetadataLogEntry, Snapshot, SnapshotLogEntry, SnapshotRef, StatisticsFile } from "./table-metadata.ts";

export function snapshotAt(place: Place): Snapshot {
  const list = optional(at(place, "manifest-list"), asString);
  const manifests = optional(at(place, "manifests"), (paths) => asArray(paths, asString));
  return {
    ...asObject(place),
    "snapshot-id": asLong(at(place, "snapshot-id")),
    "parent-snapshot-id": optional(at(place, "parent-snapshot-id"), asLong),
    "sequence-number": optional(at(place, "sequence-number"), asInteger) ?? 0,
    "timestamp-ms": asInteger(at(place, "timestamp-ms")),
    // a snapshot without either would pass for one without rows
    "manifest-list": list ?? (manifests === undefined ? asString(at(place, "manifest-list")) : undefined),
    manifests,
    summary: optional(at(place, "summary"), (summary) => asMap(summary, asString)),
    "schema-id": optional(at(place, "schema-id"), asInteger),
    "first-row-id": optional(at(place, "first-row-id"), asInteger),
    "added-rows": optional(at(place, "added-rows"), asInteger),
  };
}

export function refAt(place: Place): SnapshotRef {
  return {
    ...asObject(place),
    "snapshot-id": asLong(at(place, "snapshot-id")),
    type: asWord(at(place, "type"), ["branch", "tag"]),
    "min-snapshots-to-keep": optional(at(place, "min-snapshots-to-keep"), asInteger),
    "max-snapshot-age-ms": optional(at(place, "max-snapshot-age-ms"), asNumberOrLong),
    "max-ref-age-ms": optional(at(place, "max-ref-age-ms"), asNumberOrLong),
  };
}

export function snapshotLogEntryAt(place: Place): SnapshotLogEntry {
  return {
    ...asObject(place),
    "snapshot-id": asLong(at(place, "snapshot-id")),
    "timestamp-ms": asInteger(at(place, "timestamp-ms")),
  };
}

export function metadataLogEntryAt(place: Place): MetadataLogEntry {
  return {
    ...asObject(place),
    "metadata-file": asString(at(place, "metadata-file")),
    "timestamp-ms": asInteger(at(place, "timestamp-ms")),
  };
}

export function statisticsAt(place: Place): StatisticsFile {
  return {
    ...asObject(place),
    "snapshot-id": asLong(at(place, "snapshot-id")),
    "statistics-path": asString(at(place, "statistics-path")),
    "file-size-in-bytes": asInteger(at(place, "file-size-in-bytes")),
  };
}
