/** The files of tables, by their URIs. */
import {
  type Abortable,
  type ByteRange,
  type ObjectBody,
  type ObjectStore,
  type ObjectStoreOptions,
  openObjectStore,
} from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";

/** A file that a listing has. */
export interface ListedFile {
  readonly uri: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

export interface ReadFileOptions extends Abortable {
  readonly range?: ByteRange | undefined;
}

/**
 * Objects by URI: a path of this machine (`/data/lake/…`, `file:///data/lake/…`), `s3://bucket/…` (also `s3a:` and `s3n:`, as other writers have
 * them) or `memory:name/…`. Errors are the object store's.
 */
export class TableFiles implements AsyncDisposable {
  readonly #options: ObjectStoreOptions;
  readonly #stores = new Map<string, ObjectStore>();

  constructor(options: ObjectStoreOptions = {}) {
    this.#options = options;
  }

  async read(uri: string, options: ReadFileOptions = {}): Promise<Uint8Array> {
    const { store, key } = this.objectAt(uri);
    return (await store.get(key, options)).bytes;
  }

  async stream(uri: string, options: ReadFileOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const { store, key } = this.objectAt(uri);
    return (await store.stream(key, options)).body;
  }

  /** Writes a new file. @throws ObjectStoreError `conflict` if there is one. */
  async write(uri: string, body: ObjectBody, options: Abortable = {}): Promise<void> {
    const { store, key } = this.objectAt(uri);
    await store.put(key, body, { ...options, ifAbsent: true });
  }

  /** The bytes of a file; undefined if there is none. */
  async sizeBytes(uri: string, options: Abortable = {}): Promise<number | undefined> {
    const { store, key } = this.objectAt(uri);
    return (await store.head(key, options))?.size;
  }

  /** Deletes files, those that are there. */
  async delete(uris: Iterable<string>, options: Abortable = {}): Promise<void> {
    const byStore = new Map<ObjectStore, string[]>();
    for (const uri of uris) {
      const { store, key } = this.objectAt(uri);
      const keys = byStore.get(store);
      if (keys === undefined) byStore.set(store, [key]);
      else keys.push(key);
    }
    for (const [store, keys] of byStore) await store.deleteMany(keys, options);
  }

  /** The files whose URIs begin with a folder's. */
  async *list(folder: string, options: Abortable = {}): AsyncGenerator<ListedFile, void, void> {
    const { store, key, root } = this.objectAt(folder.replace(/\/*$/, "/."));
    const prefix = key.slice(0, -1);
    for await (const { key, size, lastModified } of store.list(prefix, options))
      yield { uri: `${root}${key}`, sizeBytes: size, modifiedAt: lastModified };
  }

  /**
   * The path of a file that is on this machine, as DuckDB opens it; undefined for any other. What follows `file:` is a path as it is: `%2F` in it is
   * three characters of a name, as Java's implementation and PyIceberg have it, and paths of partitions contain such.
   */
  localPath(uri: string): string | undefined {
    if (uri.startsWith("/")) return uri;
    const path = /^file:(?:\/\/(?:localhost(?=\/))?)?\/*(.*)$/is.exec(uri)?.[1];
    return path === undefined ? undefined : `/${path}`;
  }

  /**
   * The store and the key of a URI, and what is before the key in it.
   * @throws IcebergError `unsupported` on another kind of URI.
   */
  objectAt(uri: string): { readonly store: ObjectStore; readonly key: string; readonly root: string } {
    const local = this.localPath(uri);
    if (local !== undefined) {
      const key = local.replace(/^\/+/, "");
      return { store: this.#store("/"), key, root: uri.slice(0, uri.length - key.length) };
    }
    const [, root, scheme, name, key] = /^((s3[an]?:\/\/|memory:)([^/]+)\/)(.*)$/.exec(uri) ?? [];
    if (root === undefined)
      throw new IcebergError(
        "unsupported",
        `files of tables are local, in S3 or in memory, and ${uri} is none of these`,
      );
    return { store: this.#store(scheme === "memory:" ? `memory:${name}` : `s3://${name}`), key: key!, root };
  }

  #store(location: string): ObjectStore {
    const store = this.#stores.get(location) ?? openObjectStore(location, this.#options);
    this.#stores.set(location, store);
    return store;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#stores.values()].map((store) => store[Symbol.asyncDispose]()));
    this.#stores.clear();
  }
}
