/** Table metadata as the text of a metadata file (Appendix C; Appendix E, "Version 2", for what version 1 writes). */
import { stringifyJson } from "../json/json.ts";
import type { TableMetadata } from "./table-metadata.ts";

/** The text of a metadata file: JSON, without line ends. */
export function metadataText(metadata: TableMetadata): string {
  return stringifyJson(metadata["format-version"] === 1 ? firstVersion(metadata) : metadata);
}

/** With the current schema and spec in fields of their own, and without sequence numbers. */
function firstVersion(metadata: TableMetadata) {
  return {
    ...metadata,
    "last-sequence-number": undefined,
    schema: metadata.schemas.find((s) => (s["schema-id"] ?? 0) === metadata["current-schema-id"]),
    "partition-spec": metadata["partition-specs"].find((s) => s["spec-id"] === metadata["default-spec-id"])!["fields"],
    snapshots: metadata.snapshots.map((snapshot) => ({ ...snapshot, "sequence-number": undefined })),
  };
}
