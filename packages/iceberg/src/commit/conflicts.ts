/** What others have committed meanwhile, and a change of rows can't be beside. */
import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import { fileStats, manifestStats } from "../manifest/stats.ts";
import { allFieldsById, partitionFieldsOf } from "../metadata/all-fields.ts";
import { schemaOf, type Snapshot, type TableMetadata } from "../metadata/table-metadata.ts";
import { bind } from "../predicate/bind.ts";
import { mayMatch } from "../predicate/may-match.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { projectPredicate } from "../predicate/project.ts";
import { DeleteIndex } from "../scan/delete-index.ts";
import type { PlannedFile } from "../scan/file-task.ts";
import type { EntryOfSpec } from "../scan/plan.ts";
import { fieldsById } from "../schema/schema.ts";
import { isNested } from "../schema/type.ts";
import { addedBy } from "../scan/added-entries.ts";

/**
 * Passes if none of the snapshots added data that a filter may select: it would have been changed too, had it been there ("serializable").
 * @throws IcebergError `commit-conflict`, with the snapshot and the file.
 */
export async function checkAddedData(
  metadata: TableMetadata,
  files: TableFiles,
  since: readonly Snapshot[],
  filter: Predicate,
  options: Abortable,
): Promise<void> {
  const schema = schemaOf(metadata);
  const bound = bind(filter, schema);
  const columns = fieldsById(schema);
  for (const snapshot of since) {
    if (snapshot.summary?.["operation"] === "replace") continue; // the same rows in other files
    const added = await addedBy(
      files,
      snapshot,
      (m) => {
        const fields = partitionFieldsOf(metadata, m.specId);
        return m.content === "data" && mayMatch(projectPredicate(bound, fields), manifestStats(m.partitions, fields));
      },
      options,
    );
    const conflicting = added.find(({ entry, specId }) =>
      mayMatch(bound, fileStats(entry.file, columns, partitionFieldsOf(metadata, specId))),
    );
    if (conflicting !== undefined)
      throw conflict(
        `snapshot ${snapshot["snapshot-id"]} added file ${conflicting.entry.file.path} meanwhile, which may have rows that this would have changed`,
      );
  }
}

/**
 * Passes if none of the snapshots deleted rows of files that are removed: they would come back with the files that replace those.
 *
 * @param areEqualityDeletesKept whether the new files are as old as the removed ones, so that equality deletes apply to them too.
 * @throws IcebergError `commit-conflict`, with the snapshot and both files.
 */
export async function checkAddedDeletes(
  metadata: TableMetadata,
  files: TableFiles,
  since: readonly Snapshot[],
  removed: readonly EntryOfSpec[],
  areEqualityDeletesKept: boolean,
  options: Abortable,
): Promise<void> {
  const data = removed.filter(({ entry }) => entry.file.content === "data").map(planned);
  if (data.length === 0) return;
  const fields = allFieldsById(metadata);
  const context = {
    fieldsOf: (specId: number) => partitionFieldsOf(metadata, specId),
    typeOf: (id: number) => {
      const type = fields.get(id)?.field.type;
      return type === undefined || isNested(type) ? undefined : type;
    },
  };
  for (const snapshot of since) {
    const added = await addedBy(files, snapshot, (m) => m.content === "deletes", options);
    const deletes = added.filter(({ entry }) => !(areEqualityDeletesKept && entry.file.content === "equality-deletes"));
    const index = new DeleteIndex(deletes.map(planned), context);
    for (const file of data) {
      const [applied] = index.of(file);
      if (applied !== undefined)
        throw conflict(
          `snapshot ${snapshot["snapshot-id"]} deleted rows of file ${file.file.path} meanwhile, which this removes, by ${applied.file.path}`,
        );
    }
  }
}

function planned({ entry: { file, sequenceNumber }, specId }: EntryOfSpec): PlannedFile {
  return { specId, file, sequenceNumber: sequenceNumber ?? 0 };
}

function conflict(why: string): IcebergError {
  return new IcebergError("commit-conflict", `${why}: refresh the table, and do this again`);
}
