import { ObjectStoreError } from "@orcajs/objectstore";
import type { TableFiles } from "../../files/table-files.ts";
import type { TableMetadata } from "../../metadata/table-metadata.ts";

/** The table property for deleting metadata files that the log doesn't list any more. */
const DELETE_PROPERTY = "write.metadata.delete-after-commit.enabled";

/** Deletes the metadata files that a commit has taken out of the log, if the table is to have it so. What can't be deleted stays. */
export async function deleteFormerFiles(files: TableFiles, former: TableMetadata, now: TableMetadata): Promise<void> {
  if (now.properties[DELETE_PROPERTY] !== "true") return;
  const listed = new Set(now["metadata-log"].map((entry) => entry["metadata-file"]));
  const gone = former["metadata-log"].map((entry) => entry["metadata-file"]).filter((file) => !listed.has(file));
  try {
    await files.delete(gone);
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
  }
}
