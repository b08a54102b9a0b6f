import type { ObjectStore, ObjectStream } from "../index.ts";

/** A store to test, with nothing in it, and what ends it. */
export interface TestStore extends AsyncDisposable {
  readonly store: ObjectStore;
  /** Writes objects that hold their keys, as another program would: there are many. */
  seed(keys: readonly string[]): Promise<void>;
}

/** An object's text. */
export async function read(store: ObjectStore, key: string): Promise<string> {
  return textOf((await store.get(key)).bytes);
}

/** The keys of a listing. */
export async function keys(
  store: ObjectStore,
  prefix: string,
  options?: Parameters<ObjectStore["list"]>[1],
): Promise<readonly string[]> {
  return (await arrayOf(store.list(prefix, options))).map(({ key }) => key);
}

/** All that a source gives. */
export async function arrayOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of source) all.push(value);
  return all;
}

/** The text of a stream that is read to its end. */
export async function collected({ body }: ObjectStream): Promise<string> {
  return textOf(Buffer.concat(await arrayOf(body)));
}

/** Bytes as text. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
