import fc from "fast-check";
import { expect, it } from "vitest";
import { LINE_LENGTH_MAX } from "./log-line.ts";
import { OutputLines } from "./output-lines.ts";

it("gives the same lines wherever what is printed is split", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "🐋", "\n", "\r"), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 80 })), (printed, cuts) => {
      const bytes = Buffer.from(printed);
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
      const lines = new OutputLines();
      const taken = at.slice(1).flatMap((end, i) => lines.take(bytes.subarray(at[i], end)));
      const expected = printed.split("\n");
      expect([...taken, ...lines.rest()]).toEqual(expected.at(-1) === "" ? expected.slice(0, -1) : expected);
    }),
  );
});

it("keeps no more of an endless line than a log shows", () => {
  const lines = new OutputLines();
  for (let i = 0; i < 100; i++) expect(lines.take("a".repeat(10_000))).toEqual([]);
  expect(lines.take("b\nc").map((line) => line.length)).toEqual([LINE_LENGTH_MAX + 1]);
  expect(lines.rest()).toEqual(["c"]);
  expect(lines.rest()).toEqual([]);
});
