import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const words = ["describe", "run", "fires", "retries", "after"];
it.each([
  ["descibe", "describe"],
  ["rnu", "run"],
  ["fire", "fires"],
  ["Retires", "retries"],
  ["ru", "run"],
])("%s most likely means %s", (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});

it.each(["xyz", "", "build-everything"])("%j means none of them", (word) => {
  expect(nearest(word, words)).toBeUndefined();
});
