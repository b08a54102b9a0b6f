import { ObjectStoreError } from "./errors.ts";
import { quoted } from "./key.ts";
import type { ObjectBody } from "./object-store.ts";

/**
 * The pieces of a body, as they come. A source that is not read to its end is told so.
 * @throws ObjectStoreError `invalid-body` on what isn't a body, or gives what isn't bytes.
 */
export async function* pieces(key: string, body: ObjectBody, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (typeof body === "string") yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else {
    if (typeof body?.[Symbol.asyncIterator] !== "function") throw notBytes(key, body);
    for await (const piece of untilAborted(body, signal)) {
      if (!(piece instanceof Uint8Array)) throw notBytes(key, piece);
      yield piece;
    }
  }
}

/**
 * Parts of exactly `bytes` bytes each, the last one of 1 to as many; of nothing, one empty part. The pieces are copied, as a source may use its
 * buffer again.
 */
export async function* parts(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(bytes);
  let count = 0;
  for await (let piece of source) {
    while (piece.length > 0) {
      // a full part is given only when more comes, so that the last one is never empty
      if (count === bytes) {
        yield part;
        [part, count] = [new Uint8Array(bytes), 0];
      }
      const taken = piece.subarray(0, bytes - count);
      part.set(taken, count);
      count += taken.length;
      piece = piece.subarray(taken.length);
    }
  }
  yield part.subarray(0, count);
}

/** A copy of all bytes of a source. */
export async function gather(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let count = 0;
  for await (const piece of source) {
    all.push(new Uint8Array(piece));
    count += piece.length;
  }
  const bytes = new Uint8Array(count);
  let at = 0;
  for (const piece of all) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** What a source gives, until a signal is aborted: also while the source gives nothing. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = () => aborted.reject(signal!.reason);
  signal?.addEventListener("abort", abort);
  let isOver = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await Promise.race([iterator.next(), aborted.promise]);
      isOver = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    // not awaited: a generator that is waiting takes its return only when it goes on
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function notBytes(key: string, value: unknown): ObjectStoreError {
  const kind = value === null ? "null" : typeof value;
  return new ObjectStoreError(
    "invalid-body",
    `what was to be written as ${quoted(key)} isn't bytes but ${kind}: give a Uint8Array, a string, or an async iterable of Uint8Arrays`,
  );
}
