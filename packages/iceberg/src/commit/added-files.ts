/** The manifests of the files that a commit adds: written once, whatever it meets. */
import type { Abortable } from "@orcajs/objectstore";
import type { ManifestFile } from "../manifest/data-file.ts";
import { refused } from "../metadata/refused.ts";
import { specOf, type TableMetadata } from "../metadata/table-metadata.ts";
import type { FileChange, FileOfSpec } from "./file-change.ts";
import type { NewMetadataFiles } from "./new-metadata-files.ts";

/** How many files a manifest is given: so many entries are written in about 0.3 s. */
const FILES_PER_MANIFEST = 10_000;

export class AddedFiles {
  readonly #change: FileChange;
  readonly #written: NewMetadataFiles;
  #manifests: readonly ManifestFile[] | undefined;

  constructor(change: FileChange, written: NewMetadataFiles) {
    this.#change = change;
    this.#written = written;
  }

  /** One manifest, or some, for each spec and content. Their sequence numbers are inherited, so that they fit every try. */
  async manifests(metadata: TableMetadata, options: Abortable): Promise<readonly ManifestFile[]> {
    this.#manifests ??= await this.#write(metadata, options);
    return this.#manifests;
  }

  async #write(metadata: TableMetadata, options: Abortable): Promise<readonly ManifestFile[]> {
    const { add = [], sequenceNumber } = this.#change;
    const { snapshotId } = this.#written;
    const groups = Map.groupBy(add, ({ specId, file }) => `${contentOf(file)} ${specId}`);
    const manifests: ManifestFile[] = [];
    for (const files of groups.values())
      for (let from = 0; from < files.length; from += FILES_PER_MANIFEST) {
        const content = contentOf(files[0]!.file);
        const entries = files.slice(from, from + FILES_PER_MANIFEST).map(({ file }) => ({
          status: "added" as const,
          snapshotId,
          ...(content === "data" && { sequenceNumber }),
          file,
        }));
        const { specId } = files[0]!;
        manifests.push(await this.#written.manifest(metadata, { specId, content, entries }, options));
      }
    return manifests;
  }
}

function contentOf({ content }: FileOfSpec["file"]): ManifestFile["content"] {
  return content === "data" ? "data" : "deletes";
}

/**
 * Passes if files can be added to a table.
 * @throws IcebergError `invalid-change`, with the file.
 */
export function checkAdded(metadata: TableMetadata, { add = [], remove = [], sequenceNumber }: FileChange): void {
  const removed = new Set(remove.map(({ file }) => file.path));
  const paths = new Set<string>();
  for (const { specId, file } of add) {
    const { path, partition, content } = file;
    if (paths.has(path)) throw refused(`file ${path} is to be added twice`);
    paths.add(path);
    if (removed.has(path)) throw refused(`file ${path} is to be added and removed: files never change, write another`);
    if (!metadata["partition-specs"].some((spec) => spec["spec-id"] === specId))
      throw refused(`file ${path} is of partition spec ${specId}, which the table hasn't`);
    const { fields } = specOf(metadata, specId);
    if (partition.length !== fields.length)
      throw refused(
        `file ${path} has ${partition.length} partition values, and spec ${specId} ${fields.length} fields`,
      );
    if (content !== "data" && metadata["format-version"] === 1)
      throw refused(`file ${path} has deletes, which tables of version 1 can't have: upgrade it to version 2`);
  }
  if (sequenceNumber !== undefined && sequenceNumber > metadata["last-sequence-number"])
    throw refused(
      `the sequence number ${sequenceNumber} is above the table's last, ${metadata["last-sequence-number"]}`,
    );
}
