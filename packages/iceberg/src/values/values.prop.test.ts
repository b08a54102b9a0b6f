import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson, stringifyJson } from "../json/json.ts";
import { fromBytes, toBytes } from "./binary.ts";
import { BOUND_LENGTH, lowerBound, upperBound } from "./bounds.ts";
import { compareValues } from "./compare.ts";
import { valueText } from "./text.ts";
import { toPrimitive } from "./to-value.ts";
import { valueFromJson, valueToJson } from "./value-json.ts";
import { nearValues, primitiveTypes, typedValues } from "./values.fixture.ts";

it("has bytes for every value, from which it comes back", () => {
  fc.assert(
    fc.property(typedValues, ({ type, value }) => {
      expect(fromBytes(type, toBytes(type, value))).toEqual(value);
    }),
  );
});

it("has JSON for every value but NaN and infinities, from which it comes back", () => {
  fc.assert(
    fc.property(typedValues, ({ type, value }) => {
      fc.pre(typeof value !== "number" || Number.isFinite(value));
      const text = stringifyJson(valueToJson(type, value));
      expect(valueFromJson(type, { json: parseJson(text, "a value"), path: "value" })).toEqual(value);
    }),
  );
});

it("takes values that have their form already as they are", () => {
  fc.assert(
    fc.property(typedValues, ({ type, value }) => {
      expect(toPrimitive(type, value, "the value")).toEqual(value);
    }),
  );
});

it("takes dates and times as people read them", () => {
  fc.assert(
    fc.property(typedValues, ({ type, value }) => {
      fc.pre(/^(date|time)/.test(type.kind) || type.kind === "decimal");
      expect(toPrimitive(type, valueText(type, value), "the value")).toEqual(value);
    }),
  );
});

it("orders texts and bytes as their bytes in binary are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      const type = { kind: "string" } as const;
      expect(Math.sign(compareValues(a, b))).toBe(Buffer.compare(toBytes(type, a), toBytes(type, b)));
    }),
  );
});

it("has short bounds that are below and above what they are of", () => {
  fc.assert(
    fc.property(
      primitiveTypes.chain((type) => nearValues(type).map((value) => ({ type, value }))),
      ({ type, value }) => {
        fc.pre(!Number.isNaN(value));
        const [lower, upper] = [lowerBound(type, value), upperBound(type, value)];
        expect(compareValues(fromBytes(type, lower), value)).toBeLessThanOrEqual(0);
        expect(upper === undefined || compareValues(fromBytes(type, upper), value) >= 0).toBe(true);
        const lengthOf = (bound: Uint8Array) =>
          type.kind === "string" ? Array.from(fromBytes(type, bound) as string).length : bound.length;
        for (const bound of [lower, upper]) expect(bound === undefined || lengthOf(bound) <= BOUND_LENGTH).toBe(true);
      },
    ),
  );
});
