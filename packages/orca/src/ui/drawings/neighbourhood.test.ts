import { expect, test } from "vitest";
import { around } from "./neighbourhood.ts";

const chain = ["a", "b", "c", "d", "e", "f"].map((from, place, all) => ({ from, to: all[place + 1] ?? "g" }));

test("two hops reach two nodes either way", () => {
  expect([...around(chain, "d", { hops: 2, max: 100 })].sort()).toEqual(["b", "c", "d", "e", "f"]);
});

test("of too many the nearest are taken", () => {
  expect([...around(chain, "d", { hops: 3, max: 3 })].sort()).toEqual(["c", "d", "e"]);
});

test("what has no edges is alone", () => {
  expect([...around([], "a", { hops: 2, max: 3 })]).toEqual(["a"]);
});
