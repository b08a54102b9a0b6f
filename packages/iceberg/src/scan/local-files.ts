/** Files as paths on this machine, which is what DuckDB opens: those of other stores are fetched. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Abortable } from "@orcajs/objectstore";
import { readingError } from "../files/missing-file.ts";
import type { TableFiles } from "../files/table-files.ts";
import { inParallel } from "../in-parallel.ts";

/** How many files are fetched at a time. */
const FETCHES_AT_ONCE = 8;

/** Paths of a table's files, until it is disposed: what was fetched is removed then. */
export class LocalFiles implements AsyncDisposable {
  readonly #files: TableFiles;
  readonly #parent: string;
  readonly #paths = new Map<string, string>();
  #folder: string | undefined;

  constructor(files: TableFiles, temporaryFolder: string) {
    this.#files = files;
    this.#parent = temporaryFolder;
  }

  /** @throws IcebergError `file-missing` if one that is fetched isn't there. */
  async make(uris: Iterable<string>, options: Abortable): Promise<void> {
    const remote: string[] = [];
    for (const uri of new Set(uris)) {
      if (this.#paths.has(uri)) continue;
      const local = this.#files.localPath(uri);
      if (local === undefined) remote.push(uri);
      else this.#paths.set(uri, local);
    }
    if (remote.length === 0) return;
    this.#folder ??= await mkdtemp(path.join(this.#parent, "iceberg-"));
    const folder = this.#folder;
    const before = this.#paths.size;
    await inParallel(FETCHES_AT_ONCE, remote, async (uri, i) => {
      const target = path.join(folder, `${before + i}.parquet`);
      await pipeline(await this.#stream(uri, options), createWriteStream(target), options);
      this.#paths.set(uri, target);
    });
  }

  pathOf(uri: string): string {
    return this.#paths.get(uri)!;
  }

  /** All files, by URI. */
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#paths.entries();
  }

  async #stream(uri: string, options: Abortable): Promise<ReadableStream<Uint8Array>> {
    try {
      return await this.#files.stream(uri, options);
    } catch (error) {
      throw readingError(uri, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    this.#paths.clear();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
