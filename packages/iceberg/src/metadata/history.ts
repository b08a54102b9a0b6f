/** The log of former metadata files ("Table Metadata", `metadata-log`). */
import type { TableMetadata } from "./table-metadata.ts";

/** The table property for how many former files are listed, and its default. */
const VERSIONS_PROPERTY = "write.metadata.previous-versions-max";
const VERSIONS_DEFAULT = 100;

/** The metadata that follows on that of a file, which is put into its log. */
export function afterMetadataFile(metadata: TableMetadata, former: TableMetadata, location: string): TableMetadata {
  const given = Number(metadata.properties[VERSIONS_PROPERTY] ?? VERSIONS_DEFAULT);
  const versions = Number.isInteger(given) && given >= 1 ? given : VERSIONS_DEFAULT;
  const entry = { "metadata-file": location, "timestamp-ms": former["last-updated-ms"] };
  return { ...metadata, "metadata-log": [...metadata["metadata-log"], entry].slice(-versions) };
}
