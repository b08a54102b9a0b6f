/** Rows in batches, of whatever gives them. */
import { IcebergError } from "../errors.ts";
import type { Field } from "../schema/type.ts";
import type { Value } from "../values/value.ts";
import { type ArrowBatch, arrowRows, isArrowBatch } from "./arrow-rows.ts";
import type { GivenRow } from "./row-values.ts";

/** Rows, record batches of Arrow, or a table of it. */
export type GivenRows = ArrowBatch | Iterable<GivenRow | ArrowBatch> | AsyncIterable<GivenRow | ArrowBatch>;

/** What a vector of DuckDB holds. */
const BATCH_ROWS = 2048;

/** A row's values. @param number from 1. */
type ValuesOf = (row: unknown, number: number) => readonly (Value | null)[];

/**
 * The values of rows, in batches of 1 to 2,048. They are taken of each row as it comes: the next one may be the same object. An abort also ends waiting for
 * the next row.
 *
 * @throws IcebergError `invalid-rows` if what is given has no rows.
 */
export async function* rowBatches(
  given: GivenRows,
  fields: readonly Field[],
  valuesOf: ValuesOf,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly (readonly (Value | null)[])[], void, void> {
  let batch: (readonly (Value | null)[])[] = [];
  let number = 0;
  const take = (row: unknown): boolean => batch.push(valuesOf(row, ++number)) === BATCH_ROWS;
  const next = () => {
    const full = batch;
    batch = [];
    return full;
  };
  if (isArrowBatch(given)) {
    for (const row of arrowRows(given, fields)) if (take(row)) yield next();
  } else if (isIterable(given)) {
    for (const item of given)
      for (const row of isArrowBatch(item) ? arrowRows(item, fields) : [item]) if (take(row)) yield next();
  } else if (isAsyncIterable(given)) {
    for await (const item of untilAborted(given, signal))
      for (const row of isArrowBatch(item) ? arrowRows(item, fields) : [item]) if (take(row)) yield next();
  } else throw noRows(given);
  if (batch.length > 0) yield batch;
}

function isIterable(given: unknown): given is Iterable<unknown> {
  return typeof given === "object" && given !== null && Symbol.iterator in given;
}

function isAsyncIterable(given: unknown): given is AsyncIterable<unknown> {
  return typeof given === "object" && given !== null && Symbol.asyncIterator in given;
}

function noRows(given: unknown): IcebergError {
  const isPromise = typeof (given as PromiseLike<unknown> | null | undefined)?.then === "function";
  const what = isPromise ? "a promise: await it" : "none: give an array, an iterable, a query or Arrow";
  return new IcebergError("invalid-rows", `the rows to write are ${what}`);
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
