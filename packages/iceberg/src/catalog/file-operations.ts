import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import { lastCatalogFile } from "./current-file.ts";
import { readMetadataFile } from "./metadata-file.ts";
import { readOnly } from "./read-only-operations.ts";
import type { TableOperations, TableState } from "./table-operations.ts";

/** A table by its metadata files alone: a given one, or that of the highest number in its folder, as catalogs name them. Only to be read. */
export class FileOperations implements TableOperations {
  readonly name: string;
  readonly files: TableFiles;
  readonly isReadOnly = true;
  readonly #file: string | undefined;

  /** @param name its folder, or its metadata file; then `file` is the same. */
  constructor(name: string, files: TableFiles, file: string | undefined) {
    this.name = name;
    this.files = files;
    this.#file = file;
  }

  async load(options: Abortable = {}): Promise<TableState> {
    const metadataLocation = this.#file ?? (await lastCatalogFile(this.files, this.name, options));
    const read = metadataLocation && (await readMetadataFile(this.files, metadataLocation, options));
    if (!read)
      throw new IcebergError(
        "table-missing",
        this.#file === undefined
          ? `there is no table in ${this.name}: no metadata files are in its folder metadata`
          : `there is no metadata file ${this.name}, or not any more`,
      );
    return { metadata: read.metadata, metadataLocation };
  }

  async commit(): Promise<TableState> {
    throw readOnly(this.name);
  }
}
