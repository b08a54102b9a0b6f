import { type FileOfSpec, parseSchema, partitionText, specOf, type Table, typedFields } from "@orcajs/iceberg";
import type { TableFile } from "../../core/table-files.ts";

/** Data files as steps see them. */
export function tableFilesOf({ metadata, schema }: Table, files: readonly FileOfSpec[]): readonly TableFile[] {
  const schemas = metadata.schemas.map(parseSchema);
  const specs = new Map(
    [...new Set(files.map(({ specId }) => specId))].map((id) => [
      id,
      typedFields(specOf(metadata, id), schema, schemas),
    ]),
  );
  return files.map(({ specId, file }) => ({
    path: file.path,
    rowCount: file.recordCount,
    sizeBytes: file.sizeBytes,
    partition: Object.fromEntries(
      specs.get(specId)!.map((field, i) => [field.name, partitionText(field, file.partition[i] ?? null)]),
    ),
  }));
}
