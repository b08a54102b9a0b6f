/** Table metadata as the text of a metadata file (Appendix C; Appendix E, "Version 2", for what version 1 writes). */
import { stringifyJson } from "../json/json.ts";
import type { TableMetadata } from "./table-metadata.ts";

/** The text of a metadata file: JSON, without line ends. */
export function metadataText(metadata: TableMetadata): string {
  const {
    snapshots,
    "snapshot-log": log,
    ...rest
  } = metadata["format-version"] === 1 ? firstVersion(metadata) : metadata;
  return `${stringifyJson(rest).slice(0, -1)},"snapshots":${textOfAll(snapshots)},"snapshot-log":${textOfAll(log)}}`;
}

/** The texts of what never changes, of which a commit adds one to thousands. */
const texts = new WeakMap<object, string>();

function textOfAll(entries: readonly object[]): string {
  const parts = entries.map((entry) => {
    const text = texts.get(entry) ?? stringifyJson(entry);
    texts.set(entry, text);
    return text;
  });
  return `[${parts.join()}]`;
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
