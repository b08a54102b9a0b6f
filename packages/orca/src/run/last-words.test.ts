import { expect, it } from "vitest";
import { LastWords } from "./last-words.ts";

const placeOf = (frames: readonly string[]) =>
  frames.length === 0 ? undefined : `lake.ts of ${frames[0]} and ${frames.length - 1} more`;

it.each([
  [
    "V8 out of memory",
    "a line of the step's\n<--- Last few GCs --->\n\n[1:0x2] 143 ms: Mark-Compact\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n\n 1: 0x931db0  [node]\n 2: 0x75968e node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]\n",
    "Reached heap limit Allocation failed - JavaScript heap out of memory in node::OOMErrorHandler(char const*, v8::OOMDetails const&)",
  ],
  [
    "C++",
    "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no such column\n",
    "no such column",
  ],
  [
    "an assertion of C",
    "program: file.c:12: main: Assertion `x > 0' failed.\n",
    "program: file.c:12: main: Assertion `x > 0' failed.",
  ],
  [
    "Node of a call of abort",
    "----- Native stack trace -----\n\n 1: 0x931db0  [node]\n\n----- JavaScript stack trace -----\n\n1: file:///lake:17:22\n2: run (node:internal/async:65:14)\n",
    "in lake.ts of file:///lake:17:22 and 1 more",
  ],
  ["nothing that tells", "working\nworking\n", undefined],
])("finds what %s says", (_what, text, cause) => {
  const words = new LastWords();
  for (const part of text.match(/[^]{1,7}/g)!) words.add(part); // as pipes cut it
  expect(words.cause(placeOf)).toBe(cause);
});

it("keeps the end of a flood", () => {
  const words = new LastWords();
  for (let i = 0; i < 1_000; i++) words.add("x".repeat(1_000));
  words.add("\nFATAL ERROR: the end\n");
  expect(words.cause(placeOf)).toBe("the end");
});
