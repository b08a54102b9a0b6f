import { gather, pieces } from "./body.ts";
import { conditionFails, conditionOf } from "./condition.ts";
import { checkFolder, checkKey, compareKeys } from "./key.ts";
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
} from "./object-store.ts";
import { checkRange, resolveRange } from "./range.ts";
import { notFound } from "./not-found.ts";

const STREAM_PIECE_BYTES = 64 * 1024;

/** Objects in this process's memory: for tests. */
export class MemoryStore implements ObjectStore {
  readonly location: string;
  readonly #objects = new Map<string, ObjectBytes>();
  #versions = 0;

  constructor(name: string) {
    this.location = `memory:${name}`;
  }

  urlOf(key: string): string {
    checkKey(key);
    return `${this.location}/${key}`;
  }

  async get(key: string, options: ReadOptions = {}): Promise<ObjectBytes> {
    const object = this.#read(key, options);
    return { ...object, bytes: Uint8Array.from(object.bytes) };
  }

  async stream(key: string, options: ReadOptions = {}): Promise<ObjectStream> {
    const { bytes, ...info } = this.#read(key, options);
    let at = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (options.signal?.aborted) return controller.error(options.signal.reason);
          if (at >= bytes.length) return controller.close();
          controller.enqueue(bytes.slice(at, at + STREAM_PIECE_BYTES));
          at += STREAM_PIECE_BYTES;
        },
      },
      { highWaterMark: 0 },
    );
    return { ...info, body };
  }

  async head(key: string, options: Abortable = {}): Promise<ObjectInfo | undefined> {
    checkKey(key);
    options.signal?.throwIfAborted();
    const object = this.#objects.get(key);
    return object && infoOf(object);
  }

  async put(key: string, body: ObjectBody, options: PutOptions = {}): Promise<{ readonly etag: string }> {
    checkKey(key);
    const condition = conditionOf(options);
    options.signal?.throwIfAborted();
    const bytes = await gather(pieces(key, body, options.signal));
    options.signal?.throwIfAborted();
    const there = this.#objects.get(key);
    if (condition === "absent" ? there !== undefined : condition !== undefined && there?.etag !== condition.etag)
      throw conditionFails(this.location, key, condition!);
    const etag = `${++this.#versions}`;
    this.#objects.set(key, { key, etag, size: bytes.length, lastModified: new Date(), bytes });
    return { etag };
  }

  async delete(key: string, options: Abortable = {}): Promise<void> {
    checkKey(key);
    options.signal?.throwIfAborted();
    this.#objects.delete(key);
  }

  async deleteMany(keys: Iterable<string> | AsyncIterable<string>, options: Abortable = {}): Promise<void> {
    for await (const key of keys) await this.delete(key, options);
  }

  async *list(prefix: string, { startAfter, signal }: ListOptions = {}): AsyncGenerator<ObjectInfo> {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix)).sort(compareKeys);
    for (const key of keys) {
      signal?.throwIfAborted();
      const object = this.#objects.get(key);
      if (object !== undefined && (startAfter === undefined || compareKeys(key, startAfter) > 0)) yield infoOf(object);
    }
  }

  async *listFolders(folder: string, options: Abortable = {}): AsyncGenerator<string> {
    checkFolder(folder);
    let last: string | undefined;
    for await (const { key } of this.list(folder, options)) {
      const slash = key.indexOf("/", folder.length);
      const found = key.slice(0, slash + 1);
      if (slash !== -1 && found !== last) yield found;
      if (slash !== -1) last = found;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #read(key: string, { range, signal }: ReadOptions): ObjectBytes {
    checkKey(key);
    checkRange(range);
    signal?.throwIfAborted();
    const object = this.#objects.get(key);
    if (object === undefined) throw notFound(this.location, key);
    const { start, end } = resolveRange(range, object.size, key);
    return { ...object, bytes: object.bytes.subarray(start, end) };
  }
}

function infoOf({ key, etag, size, lastModified }: ObjectBytes): ObjectInfo {
  return { key, etag, size, lastModified };
}
