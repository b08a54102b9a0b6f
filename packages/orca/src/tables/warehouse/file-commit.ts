/** Commits of files that were written before. */
import { type FileOfSpec, IcebergError, type Table } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import type { DatasetOrName } from "../../core/datasets/dataset.ts";
import { OrcaError } from "../../core/errors.ts";
import type { FileChange } from "../../core/table-files.ts";
import { addedFiles } from "./added-files.ts";
import { checkChange } from "./change-form.ts";
import type { Commit } from "./commit.ts";
import { removedFiles } from "./removed-files.ts";

const VERBS = { append: "adds files to", overwrite: "overwrites files of", delete: "deletes files of" } as const;

/** @param pinned the snapshot that the step reads of the dataset, if it does: what it has decided by which files go. */
export function filesOf(
  dataset: DatasetOrName,
  change: FileChange,
  pinned: () => Promise<Snapshot | undefined>,
): Commit {
  checkChange(change);
  const { operation } = change;
  return {
    dataset,
    isRepeatable: false,
    of({ name }) {
      return {
        does: `${operation === "replace" ? "replaces files of" : VERBS[operation]} '${name}'`,
        async make(table, { once, properties, signal }) {
          try {
            const decidedBy = (await pinned()) ?? currentOf(table);
            const add = await addedFiles(table, change.add ?? [], { signal });
            const remove = await removedFiles(table, change.remove ?? [], { signal });
            const sequenceNumber =
              operation === "replace" ? sequenceNumberOf(table, decidedBy, add, remove) : undefined;
            const files = { operation, add, remove, sequenceNumber, properties: properties() };
            return await table.commit(files, { once, signal, validateFrom: decidedBy });
          } catch (error) {
            throw asMisfit(name, error);
          }
        },
      };
    },
  };
}

/** How new the rows of replaced files are, so that deletes that came since go on applying: those are of a partition of one spec. */
function sequenceNumberOf(
  table: Table,
  decidedBy: Snapshot | undefined,
  add: readonly FileOfSpec[],
  remove: readonly FileOfSpec[],
): number | undefined {
  const isOfOneSpec = new Set([...add, ...remove].map(({ specId }) => specId)).size <= 1;
  if (!isOfOneSpec || add.length === 0) return undefined;
  return table.snapshots().find((s) => s["snapshot-id"] === decidedBy)?.["sequence-number"];
}

function currentOf(table: Table): Snapshot | undefined {
  return table.scan().snapshot?.["snapshot-id"];
}

const MISFITS: ReadonlySet<string> = new Set<IcebergError["code"]>([
  "invalid-file",
  "invalid-value",
  "invalid-change",
  "file-missing",
  "unsupported",
]);

function asMisfit(name: string, error: unknown): unknown {
  if (!(error instanceof IcebergError && MISFITS.has(error.code))) return error;
  return new OrcaError("files-misfit", `files don't fit ${name}: ${error.message}`, { cause: error });
}
