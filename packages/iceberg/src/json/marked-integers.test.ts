import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, parseJson, stringifyJson } from "./json.ts";
import { marked, parseMarked, withoutMarks } from "./marked-integers.ts";

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    fc.string({ unit: fc.constantFrom("a", '"', "\\", "1234567890123456", ":", "{", "-", "\u00e9") }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "snapshot-id", "1234567890123456789"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

it.each(["0.0000010000000000000002", "1.0000000000000000", "-1234567890.12345678901234567", "1000000000000000000e-3"])(
  "%s is a number, whose digits are no integer's",
  (text) => {
    expect(parseMarked(`[${text}]`, (_, value) => value)).toEqual([Number(text)]);
  },
);

it("marks give the same texts and values as Node's own access to the source of numbers", () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = stringifyJson(value);
      const older = JSON.stringify(value, (_, v: unknown) =>
        typeof v === "bigint" ? marked(String(v)) : Object.is(v, -0) ? marked("-0.0") : v,
      );
      expect(withoutMarks(older)).toBe(text);
      const parsed = parseMarked<Json>(text, (name, v, { source }) => {
        if (typeof v !== "number" || source === undefined || !/^-?\d+$/.test(source)) return v;
        return Number.isSafeInteger(v) && name !== "snapshot-id" ? v : BigInt(source);
      });
      expect(parsed).toEqual(parseJson(text, "a text"));
    }),
  );
});
