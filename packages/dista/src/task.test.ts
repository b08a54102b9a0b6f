import { describe, expect, it } from "vitest";
import { task } from "./task.ts";

const one = async () => 1;

describe("a task", () => {
  it.each(["a", "_a", "0", "A.b-c_d", "x".repeat(128)])("may be named %s", (name) => {
    expect(task(name, one)).toEqual({ kind: "task", name, fn: one });
  });

  it.each(["", "-a", ".", "..", ".a", "a b", "a/b", "a\n", "é", "x".repeat(129), undefined, 1])(
    "can't be named '%s'",
    (name) => {
      const message = `'${String(name)}' isn't a task's name: use 1 to 128 letters, digits and ._-, beginning with a letter, a digit or _`;
      expect(() => task(name as string, one)).toThrow(expect.objectContaining({ code: "invalid-task", message }));
    },
  );

  it("has a function", () => {
    expect(() => task("a", undefined as never)).toThrow("task 'a' has no function");
  });

  it("can't be changed", () => {
    expect(Object.isFrozen(task("a", one))).toBe(true);
  });
});
