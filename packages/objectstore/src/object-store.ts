/** What a store knows of an object. */
export interface ObjectInfo {
  readonly key: string;
  /** Names these contents of the object, for `ifMatch`; each store writes it its own way. */
  readonly etag: string;
  /** Bytes of the whole object, of a range too. */
  readonly size: number;
  readonly lastModified: Date;
}

/** An object that was read whole, or a range of it. */
export interface ObjectBytes extends ObjectInfo {
  readonly bytes: Uint8Array;
}

/** An object that is being read. Read its body to the end, or `cancel()` it. */
export interface ObjectStream extends ObjectInfo {
  readonly body: ReadableStream<Uint8Array>;
}

/** Bytes from `start` up to and without `end` (default, and at most: the object's end), or the last `suffix` bytes of it. */
export type ByteRange = { readonly start: number; readonly end?: number } | { readonly suffix: number };

/** What can be written: bytes, a text (in UTF-8), or anything that gives bytes piece by piece. */
export type ObjectBody = Uint8Array | string | AsyncIterable<Uint8Array>;

/** Ends what waits: it is then rejected with the signal's reason. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface ReadOptions extends Abortable {
  /** Default: the whole object. */
  readonly range?: ByteRange | undefined;
}

/** When a put is to write: always (the default), only where no object is, or only over the contents that an etag names. */
export type PutCondition =
  | { readonly ifAbsent?: false | undefined; readonly ifMatch?: undefined }
  | { readonly ifAbsent: true; readonly ifMatch?: undefined }
  | { readonly ifAbsent?: false | undefined; readonly ifMatch: string };

export type PutOptions = Abortable &
  PutCondition & {
    /** The media type that S3 gives out with the object. A folder and memory don't keep it. */
    readonly contentType?: string | undefined;
  };

export interface ListOptions extends Abortable {
  /** Gives only keys that come after this one, which needs not be there. */
  readonly startAfter?: string | undefined;
}

/**
 * Objects by key. Every write is atomic: a reader sees an object as it was before it or after it. What was written is there for every read
 * and list that begins after it.
 *
 * Keys have 1 to 1,024 bytes in UTF-8; their segments, between slashes, have 1 to 255, and are none of `.` and `..` nor begin with `.~`; control
 * characters are refused. What a store holds under other keys isn't listed.
 *
 * Every method throws `access-denied`, `unreachable` (after several tries) and `failed`; those that take a key throw `invalid-key`.
 */
export interface ObjectStore extends AsyncDisposable {
  /** Where the objects are, as `openObjectStore` takes it: for messages. */
  readonly location: string;

  /** An object's URL: `file:///…`, `s3://bucket/…` or `memory:name/…`. */
  urlOf(key: string): string;

  /**
   * Reads an object, or a range of it, into memory: all that was asked for, or it throws.
   * @throws ObjectStoreError `not-found`; `invalid-range`.
   */
  get(key: string, options?: ReadOptions): Promise<ObjectBytes>;

  /**
   * Reads an object, or a range of it, piece by piece: a reader who waits makes the store wait. The contents are those of the moment of the
   * call, and the stream ends with an error rather than early.
   * @throws ObjectStoreError `not-found`; `invalid-range`. The stream: `conflict` if the connection broke and the object has changed meanwhile.
   */
  stream(key: string, options?: ReadOptions): Promise<ObjectStream>;

  /** What the store knows of an object; nothing if there is none. */
  head(key: string, options?: Abortable): Promise<ObjectInfo | undefined>;

  /**
   * Writes an object whole. A put that fails or is aborted has written nothing, and one that is aborted or unreachable may still be applied.
   * @throws ObjectStoreError `conflict` if the condition doesn't hold; `outcome-unknown`; `invalid-body`; `invalid-option`.
   */
  put(key: string, body: ObjectBody, options?: PutOptions): Promise<{ readonly etag: string }>;

  /** Deletes an object, if it is there. */
  delete(key: string, options?: Abortable): Promise<void>;

  /**
   * Deletes objects, those that are there. Goes on when one can't be deleted, and then throws the first error. What isn't a key ends it: some of the
   * objects before it are deleted then.
   */
  deleteMany(keys: Iterable<string> | AsyncIterable<string>, options?: Abortable): Promise<void>;

  /**
   * The objects whose keys begin with `prefix` (all, if it is empty), in the order of their keys' UTF-8 bytes. They are fetched as the loop
   * goes on; what is written or deleted meanwhile may be among them or not.
   */
  list(prefix: string, options?: ListOptions): AsyncIterable<ObjectInfo>;

  /** The folders right beneath a folder (`""` or one that ends in `/`), each ending in `/`, in order: what `list` has one `/` further on. */
  listFolders(folder: string, options?: Abortable): AsyncIterable<string>;
}
