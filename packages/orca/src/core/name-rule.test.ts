import { expect, it } from "vitest";
import { checkName } from "./name-rule.ts";

it.each(["a", "_a", "0", "A.b-c_d", "x".repeat(128)])("%s is a step's name", (name) => {
  expect(() => checkName("a step", name)).not.toThrow();
});

it.each(["", "-a", ".a", "..", "a b", "a/b", "a:b", "é", "x".repeat(129), undefined, 1])("%s isn't one", (name) => {
  expect(() => checkName("a step", name)).toThrow(
    "isn't a step's name: use 1 to 128 letters, digits and ._-, beginning with a letter, a digit or _",
  );
});
