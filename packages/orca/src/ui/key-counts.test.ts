import { expect, test } from "vitest";
import type { DoneKeys, KeysToCount } from "../state/pages/done-keys.ts";
import { RememberedCounts } from "./key-counts.ts";

/** Counts that are given by hand, on a clock that is set by hand. */
function counting() {
  const asked: string[] = [];
  const changed: string[] = [];
  let [time, done] = [0, 1];
  let gate: Promise<void> = Promise.resolve();
  const count = async ({ pipeline }: KeysToCount): Promise<DoneKeys> => {
    asked.push(pipeline);
    await gate;
    return { due: 10, done };
  };
  return {
    asked,
    changed,
    counts: new RememberedCounts(
      count,
      (pipeline) => changed.push(pipeline),
      () => time,
    ),
    at: (ms: number, doneThen: number) => ([time, done] = [ms, doneThen]),
    /** Has counting wait until what is returned is called. */
    hold: () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
  };
}

const names = (pipeline: string): KeysToCount => ({
  pipeline,
  code: { hash: "0x1", steps: [{ name: "load", kind: "mapped", hash: "0xa" }] },
  due: undefined,
});

test("what is known is given without counting, until it is old", async () => {
  const { counts, asked, at } = counting();
  expect(await counts.of([names("a")])).toEqual([{ due: 10, done: 1 }]);
  at(1_000, 2);
  expect(await counts.of([names("a")])).toEqual([{ due: 10, done: 1 }]);
  at(1_001, 2);
  expect(await counts.of([names("a")])).toEqual([{ due: 10, done: 2 }]);
  expect(asked).toEqual(["a", "a"]);
});

test("what takes long is given as it was before; pages hear when it is known", async () => {
  const { counts, changed, at, hold } = counting();
  await counts.of([names("a")]);
  at(5_000, 2);
  const go = hold();
  expect(await counts.of([names("a")])).toEqual([{ due: 10, done: 1 }]);
  expect(changed).toEqual(["a"]);
  go();
  await expect.poll(() => changed).toEqual(["a", "a"]);
  expect(await counts.of([names("a")])).toEqual([{ due: 10, done: 2 }]);
});

test("what is counted for the first time and takes long is not known", async () => {
  const { counts, hold } = counting();
  const go = hold();
  expect(await counts.of([names("a")])).toEqual([undefined]);
  go();
});

test("what took long is counted again after twenty times as long", async () => {
  const { counts, asked, at, hold } = counting();
  const go = hold();
  const first = counts.of([names("a")]);
  at(500, 1); // it took half a second
  go();
  await first;
  at(10_500, 2);
  expect(await counts.of([names("a")])).toEqual([{ due: 10, done: 1 }]);
  at(10_501, 2);
  await counts.of([names("a")]);
  expect(asked).toHaveLength(2);
});

test("what is asked for by several pages is counted once", async () => {
  const { counts, asked } = counting();
  await Promise.all([counts.of([names("a"), names("b")]), counts.of([names("b"), names("c")])]);
  expect(asked).toEqual(["a", "b", "c"]);
});

test("other code is another count", async () => {
  const { counts, asked } = counting();
  await counts.of([names("a")]);
  await counts.of([{ ...names("a"), code: { hash: "0x2", steps: [] } }]);
  expect(asked).toHaveLength(2);
});

test("what the database fails with is thrown, and asked again", async () => {
  let isAway = true;
  const counts = new RememberedCounts(
    async () => {
      if (isAway) throw new Error("away");
      return { due: 1, done: 1 };
    },
    () => {},
  );
  await expect(counts.of([names("a")])).rejects.toThrow("away");
  isAway = false;
  expect(await counts.of([names("a")])).toEqual([{ due: 1, done: 1 }]);
});
