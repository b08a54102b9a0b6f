import { checkKey } from "./key.ts";

/** Keys in batches of at most `count`. A batch with what isn't a key in it is refused whole. */
export async function* keyBatches(
  keys: Iterable<string> | AsyncIterable<string>,
  count: number,
): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const key of keys) {
    checkKey(key);
    batch.push(key);
    if (batch.length === count) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
