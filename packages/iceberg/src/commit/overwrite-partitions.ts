/** Partitions whose files are replaced by others. */
import type { TableOperations } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { partitionFieldsOf } from "../metadata/all-fields.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { partitionKey } from "../scan/delete-index.ts";
import { promoted } from "../schema/promote.ts";
import { commitSelected, type CommitOptions } from "./commit-files.ts";
import type { Committed } from "./commit-snapshot.ts";
import type { FileChange, FileOfSpec } from "./file-change.ts";
import type { RemovedSelection } from "./removed-files.ts";
import { mayHavePartition } from "./removed-paths.ts";

/** A partition: of a file, or with one value for each field of a spec. */
export interface PartitionOfSpec {
  readonly specId: number;
  readonly partition: FileOfSpec["file"]["partition"];
}

export interface PartitionsChange extends Pick<FileChange, "add" | "properties"> {
  /** Partitions that are emptied although no files are added to them. Default: none. */
  readonly partitions?: readonly PartitionOfSpec[] | undefined;
}

/**
 * Replaces exactly the partitions of the added files, and those that are given: whatever files they have when this is committed are removed. Of a
 * table that isn't partitioned that is all.
 *
 * @throws IcebergError as `commitFiles` does; `unsupported` if the table has files of other partition specs: which of their rows are in the
 * partitions can't be told by their partitions, and a filter is to be overwritten instead.
 */
export async function overwritePartitions(
  operations: TableOperations,
  { add = [], partitions = [], properties }: PartitionsChange,
  options: Omit<CommitOptions, "validateFrom" | "conflictFilter"> = {},
): Promise<Committed> {
  const replaced = [...add.map(({ specId, file: { partition } }) => ({ specId, partition })), ...partitions];
  const change = { operation: add.length === 0 ? ("delete" as const) : ("overwrite" as const), add, properties };
  const selection = replaced.length === 0 ? undefined : new RemovedPartitions(operations.name, replaced);
  // whatever others put into the partitions meanwhile is replaced with them
  return await commitSelected(operations, change, selection, options, async () => undefined);
}

class RemovedPartitions implements RemovedSelection {
  readonly #table: string;
  readonly #partitions: readonly PartitionOfSpec[];
  #keys: ReadonlySet<string> | undefined;

  constructor(table: string, partitions: readonly PartitionOfSpec[]) {
    this.#table = table;
    this.#partitions = [...new Map(partitions.map((p) => [partitionKey({ specId: p.specId, file: p }), p])).values()];
  }

  mayBeIn(metadata: TableMetadata, manifest: ManifestFile): boolean {
    const { specId, content } = manifest;
    const ofSpec = this.#partitions.filter((p) => p.specId === specId);
    if (ofSpec.length === 0) {
      if (content === "deletes") return false;
      throw new IcebergError(
        "unsupported",
        `${this.#table} has files of partition spec ${specId}, whose rows may be in the partitions that are overwritten: overwrite by a filter`,
      );
    }
    if (manifest.partitions === undefined) return true;
    const fields = partitionFieldsOf(metadata, specId);
    return ofSpec.some(({ partition }) => mayHavePartition(manifest, fields, partition));
  }

  has(metadata: TableMetadata, { entry, specId }: Parameters<RemovedSelection["has"]>[1]): boolean {
    this.#keys ??= new Set(this.#partitions.map((p) => keyOf(metadata, p)));
    return this.#keys.has(keyOf(metadata, { specId, partition: entry.file.partition }));
  }
}

/** Files may have been written before a column was promoted. */
function keyOf(metadata: TableMetadata, { specId, partition }: PartitionOfSpec): string {
  const fields = partitionFieldsOf(metadata, specId);
  const values = fields.map(({ type }, i) => promoted(type, partition[i] ?? null));
  return partitionKey({ specId, file: { partition: values } });
}
