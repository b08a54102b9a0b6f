/** Rows in batches, of whatever gives them. */
import type { Field } from "../schema/type.ts";
import { type ArrowBatch, arrowRows, isArrowBatch } from "./arrow-rows.ts";
import type { GivenRow } from "./row-values.ts";

/** Rows, record batches of Arrow, or a table of it. */
export type GivenRows = ArrowBatch | Iterable<GivenRow | ArrowBatch> | AsyncIterable<GivenRow | ArrowBatch>;

/** What a vector of DuckDB holds. */
const BATCH_ROWS = 2048;

/** Batches of 1 to 2,048 rows. An abort also ends waiting for the next row. */
export async function* rowBatches(
  given: GivenRows,
  fields: readonly Field[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly unknown[], void, void> {
  if (isArrowBatch(given)) yield* inBatches(arrowRows(given, fields));
  else if (Symbol.iterator in given) yield* inBatches(rowsOf(given, fields));
  else {
    let batch: unknown[] = [];
    for await (const item of untilAborted(given, signal))
      for (const row of isArrowBatch(item) ? arrowRows(item, fields) : [item]) {
        batch.push(row);
        if (batch.length < BATCH_ROWS) continue;
        yield batch;
        batch = [];
      }
    if (batch.length > 0) yield batch;
  }
}

function* rowsOf(given: Iterable<GivenRow | ArrowBatch>, fields: readonly Field[]): Generator<unknown, void, void> {
  for (const item of given) {
    if (isArrowBatch(item)) yield* arrowRows(item, fields);
    else yield item;
  }
}

function* inBatches(rows: Iterable<unknown>): Generator<readonly unknown[], void, void> {
  let batch: unknown[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* untilAborted<T>(
  given: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, void> {
  if (signal === undefined) {
    yield* given;
    return;
  }
  const iterator = given[Symbol.asyncIterator]();
  let rejectNext: ((reason: unknown) => void) | undefined;
  const abort = () => rejectNext?.(signal.reason);
  signal.addEventListener("abort", abort);
  let isOver = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      // a race against one promise for all rows would keep what each of them leaves there
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectNext = reject;
        iterator.next().then(resolve, reject);
      });
      isOver = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // not awaited: a generator that is waiting takes its return only when it goes on
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
