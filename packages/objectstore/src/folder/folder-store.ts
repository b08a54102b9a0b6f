import path from "node:path";
import { pathToFileURL } from "node:url";
import { keyBatches } from "../batches.ts";
import { conditionOf } from "../condition.ts";
import { checkFolder, checkKey, keyFault } from "../key.ts";
import { notFound } from "../not-found.ts";
import type {
  Abortable,
  ListOptions,
  ObjectBody,
  ObjectBytes,
  ObjectInfo,
  ObjectStore,
  ObjectStream,
  PutOptions,
  ReadOptions,
} from "../object-store.ts";
import { checkRange, resolveRange } from "../range.ts";
import { diskError } from "./disk-error.ts";
import { removeLeftovers } from "./own-files.ts";
import { type OpenFile, openFile, readFully, streamFile } from "./read.ts";
import { fileAt } from "./version.ts";
import { infoOf, walk, walkFolders } from "./walk.ts";
import { deleteFile, writeFile } from "./write.ts";

const SWEPT_FOLDERS_MAX = 10_000;
const DELETE_BATCH_KEYS = 16;

/**
 * Objects as files beneath a folder, which the first put makes. Any process may read them as files. Keys that the file system takes for the same
 * name (in another case, on some) are one object; no key can be another's folder.
 */
export class FolderStore implements ObjectStore {
  readonly location: string;
  readonly #root: string;
  /** The folders in which leftovers were looked for. */
  readonly #swept = new Set<string>();

  constructor(root: string) {
    this.#root = path.resolve(root);
    this.location = this.#root;
  }

  urlOf(key: string): string {
    return pathToFileURL(this.#fileOf(key)).href;
  }

  async get(key: string, { range, signal }: ReadOptions = {}): Promise<ObjectBytes> {
    return await this.#reading(key, range, signal, async (file, info) => {
      try {
        const { start, end } = resolveRange(range, info.size, key);
        const bytes = new Uint8Array(end - start);
        await readFully(file, bytes, start, key, signal);
        return { ...info, bytes };
      } finally {
        await file.handle.close();
      }
    });
  }

  async stream(key: string, { range, signal }: ReadOptions = {}): Promise<ObjectStream> {
    return await this.#reading(key, range, signal, async (file, info) => {
      try {
        const resolved = resolveRange(range, info.size, key);
        const body = streamFile(file, resolved, key, signal, (error) => diskError(error, this.location, "read", key));
        return { ...info, body };
      } catch (error) {
        await file.handle.close();
        throw error;
      }
    });
  }

  async head(key: string, { signal }: Abortable = {}): Promise<ObjectInfo | undefined> {
    const path = this.#fileOf(key);
    signal?.throwIfAborted();
    const file = await this.#orDiskError("read", key, () => fileAt(path));
    return file && infoOf(key, file);
  }

  async put(key: string, body: ObjectBody, options: PutOptions = {}): Promise<{ readonly etag: string }> {
    const file = this.#fileOf(key);
    const condition = conditionOf(options);
    const { signal } = options;
    signal?.throwIfAborted();
    return await this.#orDiskError("write", key, async () => {
      await this.#sweepOnce(path.dirname(file));
      return { etag: await writeFile({ location: this.location, key, file, body, condition, signal }) };
    });
  }

  async delete(key: string, { signal }: Abortable = {}): Promise<void> {
    const file = this.#fileOf(key);
    signal?.throwIfAborted();
    await this.#orDiskError("delete", key, () => deleteFile(file, this.#root, signal));
  }

  async deleteMany(keys: Iterable<string> | AsyncIterable<string>, options: Abortable = {}): Promise<void> {
    const failures: unknown[] = [];
    for await (const batch of keyBatches(keys, DELETE_BATCH_KEYS)) {
      options.signal?.throwIfAborted();
      const deletions = await Promise.allSettled(batch.map((key) => this.delete(key, options)));
      failures.push(...deletions.flatMap((d) => (d.status === "rejected" ? [d.reason] : [])));
    }
    if (failures.length > 0) throw failures[0];
  }

  async *list(prefix: string, { startAfter = "", signal }: ListOptions = {}): AsyncGenerator<ObjectInfo> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    if (folder !== "" && keyFault(folder.slice(0, -1)) !== undefined) return;
    signal?.throwIfAborted();
    try {
      yield* walk(this.#root, folder, { prefix, after: startAfter, signal });
    } catch (error) {
      throw diskError(error, this.location, "list", prefix);
    }
  }

  async *listFolders(folder: string, { signal }: Abortable = {}): AsyncGenerator<string> {
    checkFolder(folder);
    signal?.throwIfAborted();
    try {
      yield* walkFolders(this.#root, folder, signal);
    } catch (error) {
      throw diskError(error, this.location, "list", folder);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #fileOf(key: string): string {
    checkKey(key);
    return path.join(this.#root, key);
  }

  /** Opens an object and gives it to `read`, which closes it. */
  async #reading<T>(
    key: string,
    range: ReadOptions["range"],
    signal: AbortSignal | undefined,
    read: (file: OpenFile, info: ObjectInfo) => Promise<T>,
  ): Promise<T> {
    const path = this.#fileOf(key);
    checkRange(range);
    signal?.throwIfAborted();
    return await this.#orDiskError("read", key, async () => {
      const file = await openFile(path);
      if (file === undefined) throw notFound(this.location, key);
      return await read(file, infoOf(key, file.stats));
    });
  }

  async #sweepOnce(folder: string): Promise<void> {
    if (this.#swept.has(folder)) return;
    if (this.#swept.size >= SWEPT_FOLDERS_MAX) this.#swept.clear();
    this.#swept.add(folder);
    // what can't be removed is in nobody's way
    await removeLeftovers(folder).catch(() => undefined);
  }

  async #orDiskError<T>(verb: string, key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, this.location, verb, key);
    }
  }
}
