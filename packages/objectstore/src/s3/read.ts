import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { Readable } from "node:stream";
import { ObjectStoreError } from "../errors.ts";
import { quoted } from "../key.ts";
import type { ByteRange, ObjectInfo } from "../object-store.ts";
import { beyondEnd } from "../range.ts";
import type { Bucket } from "./client.ts";
import { headObject } from "./head.ts";
import { withRetries } from "./retry.ts";
import { BrokenBody, statusOf } from "./s3-error.ts";

/** An object that S3 has begun to send: the bytes from `start` up to and without `end`. */
export interface OpenObject {
  readonly info: ObjectInfo;
  readonly body: Readable;
  readonly start: number;
  readonly end: number;
}

/** What is read: an object by its key, and by its key within the bucket. */
export interface ReadRequest {
  readonly key: string;
  readonly path: string;
  readonly range: ByteRange | undefined;
  readonly signal: AbortSignal | undefined;
  /** Only these contents are wanted. */
  readonly etag?: string;
}

/** Asks for an object once. */
export async function openObject(bucket: Bucket, request: ReadRequest): Promise<OpenObject> {
  const { key, path, range, signal, etag } = request;
  const { sdk, client } = await bucket.connect();
  const command = new sdk.GetObjectCommand({
    Bucket: bucket.name,
    Key: path,
    ...(range !== undefined && { Range: rangeHeader(range) }),
    ...(etag !== undefined && { IfMatch: etag }),
  });
  let reply: GetObjectCommandOutput;
  try {
    reply = await client.send(command, signal && { abortSignal: signal });
  } catch (error) {
    if (range !== undefined && statusOf(error) === 416) return await openEmpty(bucket, request, range);
    throw error;
  }
  const body = reply.Body as Readable;
  try {
    return { ...extent(reply, range, key), body };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Reads all that was asked for. @throws BrokenBody if less or more came. */
export async function readBody({ body, start, end }: OpenObject): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  let count = 0;
  for await (const piece of unbroken(body)) {
    if (count + piece.length > bytes.length) throw wrongLength(count + piece.length, bytes.length);
    bytes.set(piece, count);
    count += piece.length;
  }
  if (count < bytes.length) throw wrongLength(count, bytes.length);
  return bytes;
}

/** The bytes of an object that was opened, piece by piece. A connection that breaks is replaced by one for the rest. */
export function streamBody(
  bucket: Bucket,
  request: ReadRequest,
  opened: OpenObject,
  errorOf: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const { info, end } = opened;
  let { start: at, body } = opened;
  let iterator = unbroken(body);
  let failures = 0;

  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      request.signal?.throwIfAborted();
      try {
        const { done, value } = await iterator.next();
        if (done !== true && at + value.length <= end) return value;
        if (done === true && at === end) return undefined;
        throw wrongLength(at - opened.start, end - opened.start);
      } catch (error) {
        body.destroy();
        request.signal?.throwIfAborted();
        if (at === end) throw wrongChecksum(request.key, error);
        if (++failures >= bucket.retry.attempts) throw error;
        const rest = { ...request, range: { start: at, end }, etag: info.etag };
        ({ body } = await withRetries(bucket.retry, request.signal, () => openObject(bucket, rest)));
        iterator = unbroken(body);
      }
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await next();
          if (piece === undefined) return controller.close();
          at += piece.length;
          failures = 0;
          controller.enqueue(piece);
        } catch (error) {
          body.destroy();
          controller.error(statusOf(error) === 412 ? changed(bucket, request.key) : errorOf(error));
        }
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A body's pieces; an error is that it broke, whatever else it says. */
async function* unbroken(body: Readable): AsyncGenerator<Uint8Array, undefined> {
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) yield piece;
  } catch (error) {
    throw new BrokenBody(`the connection broke within the object: ${(error as Error).message}`, { cause: error });
  }
}

/** What a range that S3 doesn't satisfy gives: the last bytes of nothing are nothing. */
async function openEmpty(bucket: Bucket, { key, path, signal }: ReadRequest, range: ByteRange): Promise<OpenObject> {
  const info = (await headObject(bucket, key, path, signal))?.info;
  if ("start" in range && (info === undefined || range.start >= info.size))
    throw beyondEnd(range.start, info?.size, key);
  if (info?.size !== 0) throw new BrokenBody("the object was replaced meanwhile");
  return { info, body: Readable.from([]), start: 0, end: 0 };
}

function extent(
  { ContentLength: length, ContentRange, ETag: etag, LastModified: lastModified }: GetObjectCommandOutput,
  range: ByteRange | undefined,
  key: string,
): Omit<OpenObject, "body"> {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? "") ?? [];
  if (length === undefined || etag === undefined || (range !== undefined && total === undefined))
    throw new ObjectStoreError(
      "failed",
      `the store's reply for ${quoted(key)} lacks its length, its etag or its range`,
    );
  const size = total === undefined ? length : Number(total);
  const info = { key, etag, size, lastModified: lastModified ?? new Date(0) };
  return range === undefined ? { info, start: 0, end: size } : { info, start: Number(first), end: Number(last) + 1 };
}

function rangeHeader(range: ByteRange): string {
  if ("suffix" in range) return `bytes=-${range.suffix}`;
  return `bytes=${range.start}-${range.end === undefined ? "" : range.end - 1}`;
}

function wrongLength(count: number, wanted: number): BrokenBody {
  return new BrokenBody(`${count} bytes came where ${wanted} were announced`);
}

function wrongChecksum(key: string, cause: unknown): ObjectStoreError {
  return new ObjectStoreError(
    "failed",
    `the bytes that came of ${quoted(key)} don't have its checksum: read it again`,
    { cause },
  );
}

function changed({ location }: Bucket, key: string): ObjectStoreError {
  return new ObjectStoreError(
    "conflict",
    `object ${quoted(key)} in ${location} was replaced while it was read: read it again`,
  );
}
