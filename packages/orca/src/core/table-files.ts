/** Files of tables, and commits of them. */

/** A data file of a table. */
export interface TableFile {
  /** The whole URI, or the path of this machine. */
  readonly path: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
  /** The values of its partition by the names of the partition's fields, as the folders of files have them: `{ day: "2024-01-31" }`. */
  readonly partition: Readonly<Record<string, string>>;
}

/** A data file with all that a table records of it: what `writeRows` and `fileOf` of `@orcajs/iceberg` give. */
export interface WrittenFile {
  /** The partition spec that the file was written by. */
  readonly specId: number;
  readonly file: { readonly path: string; readonly recordCount: number; readonly sizeBytes: number };
}

/**
 * A Parquet file to add to a table, where it is: its path or URI, with the values of its partition where those of its rows don't tell
 * them, or as it was written by `@orcajs/iceberg`.
 */
export type NewFile =
  | string
  | { readonly path: string; readonly partition?: Readonly<Record<string, unknown>> | undefined }
  | WrittenFile;

/** A file to remove from a table: its path, or as a scan's `files()` has it. */
export type RemovedFile = string | { readonly path: string };

/** What a commit does to a table's files. */
export type FileChange =
  | { readonly operation: "append"; readonly add: readonly NewFile[]; readonly remove?: undefined }
  | {
      /** `overwrite`: rows are changed; `delete`: rows go; `replace`: the same rows are in other files, as after a compaction. */
      readonly operation: "overwrite" | "delete" | "replace";
      readonly add?: readonly NewFile[] | undefined;
      readonly remove?: readonly RemovedFile[] | undefined;
    };
