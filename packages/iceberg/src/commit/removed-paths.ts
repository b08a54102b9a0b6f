/** Which files a commit removes: those of given paths. */
import { IcebergError } from "../errors.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { manifestStats } from "../manifest/stats.ts";
import { partitionFieldsOf } from "../metadata/all-fields.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import { promoted } from "../schema/promote.ts";
import { compareValues } from "../values/compare.ts";
import { partitionKey } from "../scan/delete-index.ts";
import type { FileOfSpec } from "./file-change.ts";
import type { Removed, RemovedSelection } from "./removed-files.ts";

export class RemovedPaths implements RemovedSelection {
  readonly #paths: ReadonlySet<string>;
  /** One file of each partition, by content and spec. */
  readonly #partitions = new Map<string, readonly FileOfSpec[]>();

  constructor(files: readonly FileOfSpec[]) {
    this.#paths = new Set(files.map(({ file }) => file.path));
    const groups = Map.groupBy(files, ({ specId, file }) => keyOf(file.content === "data", specId));
    for (const [key, group] of groups)
      this.#partitions.set(key, [...new Map(group.map((file) => [partitionKey(file), file])).values()]);
  }

  mayBeIn(metadata: TableMetadata, manifest: ManifestFile): boolean {
    const partitions = this.#partitions.get(keyOf(manifest.content === "data", manifest.specId)) ?? [];
    if (partitions.length === 0 || manifest.partitions === undefined) return partitions.length > 0;
    const fields = partitionFieldsOf(metadata, manifest.specId);
    return partitions.some(({ file }) => mayHavePartition(manifest, fields, file.partition));
  }

  has(_metadata: TableMetadata, { entry }: Parameters<RemovedSelection["has"]>[1]): boolean {
    return this.#paths.has(entry.file.path);
  }

  /**
   * Passes if all of the files were found.
   *
   * @param isBase whether the table is as it was when the files were chosen.
   * @throws IcebergError `invalid-change` if some were never there; `commit-conflict` if others have removed them meanwhile.
   */
  check({ files }: Removed, isBase: boolean): void {
    const found = new Set(files.map(({ entry }) => entry.file.path));
    const missing = [...this.#paths].filter((path) => !found.has(path));
    if (missing.length === 0) return;
    const what = `file ${missing[0]}${missing.length === 1 ? "" : ` and ${missing.length - 1} more`}`;
    throw isBase
      ? new IcebergError("invalid-change", `${what} can't be removed: the table has no such file in this branch`)
      : new IcebergError(
          "commit-conflict",
          `${what} to be removed was removed by others meanwhile: refresh the table, and do this again with the files that it has`,
        );
  }
}

/** Whether a partition is within what a manifest says of its partitions. */
export function mayHavePartition(
  { partitions }: ManifestFile,
  fields: readonly TypedPartitionField[],
  values: FileOfSpec["file"]["partition"],
): boolean {
  const statsOf = manifestStats(partitions, fields);
  return fields.every(({ fieldId, type }, i) => {
    const { hasNull, hasNaN, lower, upper } = statsOf(fieldId);
    const value = promoted(type, values[i] ?? null);
    if (value === null) return hasNull !== false;
    if (Number.isNaN(value)) return hasNaN !== false;
    return (
      (lower === undefined || compareValues(lower, value) <= 0) &&
      (upper === undefined || compareValues(upper, value) >= 0)
    );
  });
}

function keyOf(isData: boolean, specId: number): string {
  return `${isData} ${specId}`;
}
