import { describe, expect, it } from "vitest";
import { errorLine } from "./error-line.ts";

class Unreadable extends Error {
  override get message(): string {
    throw new Error("not for reading");
  }
}

describe("the line of an error", () => {
  it.each([
    [new Error("boom"), "boom"],
    [new Error("outer", { cause: new Error("inner", { cause: new Error("innermost") }) }), "outer: inner: innermost"],
    [
      new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND x") }),
      "fetch failed: getaddrinfo ENOTFOUND x",
    ],
    [new Error("can't be read: ENOENT", { cause: new Error("ENOENT") }), "can't be read: ENOENT"],
    [new AggregateError([new Error("first"), new Error("second")], "all failed"), "all failed: first"],
    [new Error("two\n  lines\u0007"), "two lines"],
    [new Error("\u001b[31mred\u001b[0m"), "red"],
    [new RangeError(), "RangeError"],
    [new Unreadable(), "an error whose message can't be read"],
    [new Error("x".repeat(3_000)), `${"x".repeat(2_000)}…`],
  ])("%# says what it is and what caused it, in printable characters", (error, line) => {
    expect(errorLine(error)).toBe(line);
  });

  it("of an error that is its own cause ends", () => {
    const error = new Error("boom");
    error.cause = error;
    expect(errorLine(error)).toBe("boom");
  });
});
