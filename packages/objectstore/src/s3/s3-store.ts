import { randomUUID } from "node:crypto";
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
import { checkRange } from "../range.ts";
import { type Bucket, bucketOf } from "./client.ts";
import { deleteObject, deleteObjects, NotDeleted } from "./delete.ts";
import { headObject } from "./head.ts";
import { type PageQuery, pages } from "./list.ts";
import type { S3Options } from "./options.ts";
import { openObject, readBody, type ReadRequest, streamBody } from "./read.ts";
import { withRetries } from "./retry.ts";
import { nameOf, s3Error } from "./s3-error.ts";
import { writeObject } from "./write.ts";

const DELETE_BATCH_KEYS = 1_000;

/** Objects in a bucket of S3 or a compatible store, beneath a prefix. */
export class S3Store implements ObjectStore {
  readonly location: string;
  readonly #bucket: Bucket;
  /** `""`, or ends in a slash. */
  readonly #prefix: string;

  constructor(bucket: string, prefix: string, options: S3Options) {
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.location = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
    this.#bucket = bucketOf(bucket, this.location, options);
  }

  urlOf(key: string): string {
    return `s3://${this.#bucket.name}/${this.#pathOf(key)}`;
  }

  async get(key: string, options: ReadOptions = {}): Promise<ObjectBytes> {
    return await this.#reading(key, options, async (request) => {
      const opened = await openObject(this.#bucket, request);
      try {
        return { ...opened.info, bytes: await readBody(opened) };
      } finally {
        opened.body.destroy();
      }
    });
  }

  async stream(key: string, options: ReadOptions = {}): Promise<ObjectStream> {
    const errorOf = (error: unknown) => this.#errorOf(error, "read", key, options.signal);
    return await this.#reading(key, options, async (request) => {
      const opened = await openObject(this.#bucket, request);
      return { ...opened.info, body: streamBody(this.#bucket, request, opened, errorOf) };
    });
  }

  async head(key: string, { signal }: Abortable = {}): Promise<ObjectInfo | undefined> {
    const path = this.#pathOf(key);
    signal?.throwIfAborted();
    const found = await this.#orS3Error("read", key, signal, () => headObject(this.#bucket, key, path, signal));
    return found?.info;
  }

  async put(key: string, body: ObjectBody, options: PutOptions = {}): Promise<{ readonly etag: string }> {
    const path = this.#pathOf(key);
    const condition = conditionOf(options);
    const { contentType, signal } = options;
    signal?.throwIfAborted();
    const put = { key, path, condition, token: randomUUID(), contentType, signal };
    return await this.#orS3Error("write", key, signal, () => writeObject(this.#bucket, put, body));
  }

  async delete(key: string, { signal }: Abortable = {}): Promise<void> {
    const path = this.#pathOf(key);
    signal?.throwIfAborted();
    await this.#orS3Error("delete", key, signal, () => deleteObject(this.#bucket, path, signal));
  }

  async deleteMany(keys: Iterable<string> | AsyncIterable<string>, { signal }: Abortable = {}): Promise<void> {
    const failures: unknown[] = [];
    for await (const batch of keyBatches(keys, DELETE_BATCH_KEYS)) {
      signal?.throwIfAborted();
      const paths = batch.map((key) => this.#pathOf(key));
      await deleteObjects(this.#bucket, paths, signal).catch((error: unknown) => {
        const path = error instanceof NotDeleted ? error.path : paths[0]!;
        failures.push(this.#errorOf(error, "delete", path.slice(this.#prefix.length), signal));
      });
      signal?.throwIfAborted();
    }
    if (failures.length > 0) throw failures[0];
  }

  async *list(prefix: string, { startAfter = "", signal }: ListOptions = {}): AsyncGenerator<ObjectInfo> {
    const query = {
      Prefix: this.#prefix + prefix,
      ...(startAfter !== "" && { StartAfter: this.#prefix + startAfter }),
    };
    for await (const { Contents = [] } of this.#pages(prefix, query, signal)) {
      for (const { Key = "", ETag: etag = "", Size: size = 0, LastModified: lastModified = new Date(0) } of Contents) {
        signal?.throwIfAborted();
        const key = Key.slice(this.#prefix.length);
        if (keyFault(key) === undefined) yield { key, etag, size, lastModified };
      }
    }
  }

  async *listFolders(folder: string, { signal }: Abortable = {}): AsyncGenerator<string> {
    checkFolder(folder);
    const query = { Prefix: this.#prefix + folder, Delimiter: "/" };
    for await (const { CommonPrefixes = [] } of this.#pages(folder, query, signal)) {
      for (const { Prefix = "" } of CommonPrefixes) {
        const found = Prefix.slice(this.#prefix.length);
        if (keyFault(found.slice(0, -1)) === undefined) yield found;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bucket.disconnect();
  }

  /** The key within the bucket. */
  #pathOf(key: string): string {
    checkKey(key);
    return this.#prefix + key;
  }

  async #reading<T>(
    key: string,
    { range, signal }: ReadOptions,
    read: (request: ReadRequest) => Promise<T>,
  ): Promise<T> {
    const path = this.#pathOf(key);
    checkRange(range);
    return await this.#orS3Error("read", key, signal, () =>
      withRetries(this.#bucket.retry, signal, () => read({ key, path, range, signal })),
    );
  }

  async *#pages(prefix: string, query: PageQuery, signal: AbortSignal | undefined) {
    try {
      yield* pages(this.#bucket, query, signal);
    } catch (error) {
      throw this.#errorOf(error, "list", prefix, signal);
    }
  }

  async #orS3Error<T>(verb: string, key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#errorOf(error, verb, key, signal);
    }
  }

  #errorOf(error: unknown, verb: string, key: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason;
    if (nameOf(error) === "NoSuchKey") return notFound(this.location, key, { cause: error });
    return s3Error(error, this.#bucket, verb, key);
  }
}
