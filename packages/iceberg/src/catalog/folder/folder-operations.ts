import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../../errors.ts";
import type { TableFiles } from "../../files/table-files.ts";
import { applyUpdates } from "../../metadata/apply.ts";
import { afterMetadataFile } from "../../metadata/history.ts";
import { checkRequirements, sameTable } from "../../metadata/requirements.ts";
import type { TableMetadata } from "../../metadata/table-metadata.ts";
import { readMetadataFile } from "../metadata-file.ts";
import type { TableChange, TableOperations, TableState } from "../table-operations.ts";
import { deleteFormerFiles } from "./former-files.ts";
import { putVersion } from "./put-version.ts";
import { hintedVersion, listVersions, type VersionFile, versionFile, versionOf, writeHint } from "./version-files.ts";

/** So often a commit goes on to the version after another's; each time another's commit has succeeded. */
const ROUNDS_MAX = 100;

/** How often files may vanish while they are looked for, by commits that delete former ones. */
const READS_MAX = 5;

/**
 * A table in a folder, in a bucket or in memory. A commit writes the file of the next version, which only one can do; readers see the table before or
 * after it. That a table was dropped is seen just before that; one that is dropped at the very moment may come back, as this layout has nothing to
 * prevent it.
 */
export class FolderOperations implements TableOperations {
  readonly name: string;
  readonly files: TableFiles;
  readonly #location: string;
  /** What the metadata files of states were when they were read or written: a table that was dropped and made anew has others of the same names. */
  readonly #etags = new WeakMap<TableState, string>();

  /** @param location the table's folder, without a slash at its end. */
  constructor(name: string, location: string, files: TableFiles) {
    this.name = name;
    this.#location = location;
    this.files = files;
  }

  /**
   * Writes the first version.
   * @throws IcebergError `table-exists`
   */
  async create(metadata: TableMetadata, options: Abortable = {}): Promise<TableState> {
    const first = versionFile(this.#location, 1);
    // the first file of a table may have been deleted since
    const isFree = (await this.#current(options)) === undefined;
    const etag = isFree ? await putVersion(this.files, first.uri, metadata, options) : undefined;
    if (etag === undefined) throw new IcebergError("table-exists", `there is a table ${this.name} already`);
    await writeHint(this.files, this.#location, 1);
    return this.#state(first, metadata, etag);
  }

  async load(options: Abortable = {}): Promise<TableState> {
    const state = await this.#current(options);
    if (state === undefined) throw new IcebergError("table-missing", `there is no table ${this.name}, or not any more`);
    return state;
  }

  async commit(base: TableState, change: TableChange, options: Abortable = {}): Promise<TableState> {
    let state = (await this.#isThere(base, options)) ? base : await this.load(options);
    for (let round = 1; round <= ROUNDS_MAX; round++) {
      checkRequirements(state.metadata, [...sameTable(base.metadata), ...change.requirements]);
      const version = versionOf(state.metadataLocation)!;
      const next = versionFile(this.#location, version.version + 1, version);
      const metadata = afterMetadataFile(apply(state, base, change), state.metadata, state.metadataLocation);
      const etag = await putVersion(this.files, next.uri, metadata, options);
      if (etag !== undefined) {
        await writeHint(this.files, this.#location, next.version);
        await deleteFormerFiles(this.files, state.metadata, metadata);
        return this.#state(next, metadata, etag);
      }
      state = await this.load(options);
    }
    throw new IcebergError(
      "commit-conflict",
      `others were faster to change table ${this.name} ${ROUNDS_MAX} times in a row: try again`,
    );
  }

  /** Whether a state's file is there still, and the same. */
  async #isThere(state: TableState, options: Abortable): Promise<boolean> {
    const { store, key } = this.files.objectAt(state.metadataLocation);
    const etag = this.#etags.get(state);
    return etag !== undefined && (await store.head(key, options))?.etag === etag;
  }

  async #current(options: Abortable): Promise<TableState | undefined> {
    for (let read = 1; ; read++) {
      const hinted = await hintedVersion(this.files, this.#location, options);
      const state = hinted && (await this.#read(hinted, options));
      if (state !== undefined) return state;
      const last = (await listVersions(this.files, this.#location, options)).at(-1);
      if (last === undefined) return undefined;
      const isLast = hinted === undefined || hinted.version <= last.version;
      const found = isLast ? await this.#read(last, options) : undefined;
      if (found !== undefined) return found;
      if (read === READS_MAX && !isLast)
        throw new IcebergError(
          "file-missing",
          `the newest metadata file of ${this.name} is missing: version-hint.text says ${hinted.version}, and the newest there is ${last.uri}; bring it back, or delete the hint to go on from what is there`,
        );
      if (read === READS_MAX)
        throw new IcebergError(
          "file-missing",
          `${last.uri} isn't there any more, although it is listed: others delete metadata files faster than they are read`,
        );
    }
  }

  async #read(file: VersionFile, options: Abortable): Promise<TableState | undefined> {
    const read = await readMetadataFile(this.files, file.uri, options);
    return read && this.#state(file, read.metadata, read.etag);
  }

  #state({ uri }: VersionFile, metadata: TableMetadata, etag: string): TableState {
    const state = { metadata, metadataLocation: uri };
    this.#etags.set(state, etag);
    return state;
  }
}

/** Updates that fitted the table as it was may not fit it as others have left it. */
function apply(state: TableState, base: TableState, { updates }: TableChange): TableMetadata {
  try {
    return applyUpdates(state.metadata, updates, { nowMs: Date.now() });
  } catch (error) {
    if (state === base || !(error instanceof IcebergError && error.code === "invalid-change")) throw error;
    throw new IcebergError("commit-conflict", `the table was changed meanwhile: ${error.message}`, { cause: error });
  }
}
