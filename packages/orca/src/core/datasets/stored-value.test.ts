import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Type } from "./column.ts";
import { storedValue, textOfDecimal } from "./stored-value.ts";

type Plain = Parameters<typeof storedValue>[0];
const type = (name: Exclude<Plain["type"], "decimal" | "fixed">): Plain => ({ type: name });
const decimal = (precision: number, scale: number): Plain => ({ type: "decimal", precision, scale });
const anyDecimal = fc.integer({ min: 1, max: 38 }).chain((precision) =>
  fc.record({
    precision: fc.constant(precision),
    scale: fc.integer({ min: 0, max: precision }),
    unscaled: fc.bigInt({ min: -(10n ** BigInt(precision)) + 1n, max: 10n ** BigInt(precision) - 1n }),
  }),
);
/** The unscaled value of a decimal's text, by arithmetic alone. */
function unscaledOf(text: string): bigint {
  return BigInt(text.replace(".", ""));
}

describe("a decimal", () => {
  it("keeps every digit that its type holds", () => {
    fc.assert(
      fc.property(anyDecimal, ({ precision, scale, unscaled }) => {
        const text = textOfDecimal(unscaled, scale);
        expect(storedValue(decimal(precision, scale), text)).toBe(text);
        expect(unscaledOf(text)).toBe(unscaled);
        expect((text.split(".")[1] ?? "").length).toBe(scale);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is exact or refused, with fewer decimals and with an exponent too", () => {
    fc.assert(
      fc.property(
        anyDecimal,
        fc.integer({ min: 0, max: 38 }),
        fc.integer({ min: -40, max: 40 }),
        (d, scaleGiven, exponent) => {
          const text = `${textOfDecimal(d.unscaled, scaleGiven)}e${exponent}`;
          const stored = storedValue(decimal(d.precision, d.scale), text);
          // both as multiples of 10^-120, which is finer than either can be
          const given = d.unscaled * 10n ** BigInt(120 - scaleGiven + exponent);
          const step = 10n ** BigInt(120 - d.scale);
          const fits = given % step === 0n && (given < 0n ? -given : given) / step < 10n ** BigInt(d.precision);
          expect(stored instanceof Error ? undefined : unscaledOf(stored as string) * step).toBe(
            fits ? given : undefined,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("takes a number by the digits that JavaScript writes it with", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), (cents) => {
        expect(storedValue(decimal(12, 2), cents / 100)).toBe(textOfDecimal(BigInt(cents), 2));
      }),
    );
    expect(storedValue(decimal(38, 0), 1e21)).toBe("1000000000000000000000");
    expect(storedValue(decimal(38, 20), 1e-7)).toBe("0.00000010000000000000");
  });

  it.each([
    [0.1 + 0.2, "0.30000000000000004 has more than 2 decimals: round it first"],
    ["1.005", "1.005 has more than 2 decimals: round it first"],
    [12345, "12345 has more than 6 digits"],
    ["1e999999999", "1e999999999 has more than 6 digits"],
    ["1e-999999999", "1e-999999999 has more than 2 decimals: round it first"],
    ["ten", "'ten' isn't a decimal"],
    ["", "'' isn't a decimal"],
    ["0x10", "'0x10' isn't a decimal"],
    [NaN, "'NaN' isn't a decimal"],
    [Infinity, "'Infinity' isn't a decimal"],
  ])("of 6 digits, 2 of them decimals, isn't %s", (value, message) => {
    expect(storedValue(decimal(6, 2), value)).toEqual(expect.objectContaining({ message }));
  });

  it.each([
    ["-0", "0.00"],
    ["0e999999999", "0.00"],
    ["000012.30", "12.30"],
    ["1e3", "1000.00"],
    ["12.3000", "12.30"],
    [-0.5, "-0.50"],
  ])("of %s is %s", (value, stored) => {
    expect(storedValue(decimal(6, 2), value)).toBe(stored);
  });
});

describe("an integer", () => {
  it("of 32 bits is a number that is one", () => {
    fc.assert(
      fc.property(fc.double(), (v) => {
        const isOne = Number.isInteger(v) && v >= -(2 ** 31) && v < 2 ** 31;
        const stored = storedValue(type("int"), v);
        expect(stored instanceof Error ? undefined : stored).toBe(isOne ? v : undefined);
      }),
    );
    expect(storedValue(type("int"), 2 ** 31)).toEqual(new RangeError("2147483648 isn't a 32-bit integer"));
    expect(storedValue(type("int"), 1n)).toBeUndefined();
  });

  it("of 64 bits is a bigint that is one, or a number that holds one exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (v) => {
        const isOne = v >= -(2n ** 63n) && v < 2n ** 63n;
        const stored = storedValue(type("long"), v);
        expect(stored instanceof Error ? undefined : stored).toBe(isOne ? v : undefined);
      }),
    );
    expect(storedValue(type("long"), 2 ** 53 - 1)).toBe(2n ** 53n - 1n);
    expect(storedValue(type("long"), 2 ** 53)).toEqual(
      new RangeError("9007199254740992 isn't an integer that a number holds exactly"),
    );
    expect(storedValue(type("long"), 1.5)).toBeInstanceOf(RangeError);
    expect(storedValue(type("long"), 2n ** 63n)).toEqual(new RangeError("9223372036854775808 isn't a 64-bit integer"));
  });
});

describe("a value", () => {
  it("of a float is the nearest one, and never infinite by that", () => {
    expect(storedValue(type("float"), 0.1)).toBe(Math.fround(0.1));
    expect(storedValue(type("float"), Infinity)).toBe(Infinity);
    expect(storedValue(type("float"), NaN)).toBeNaN();
    expect(storedValue(type("float"), 1e39)).toEqual(new RangeError("1e+39 is more than a float holds"));
  });

  it("of a double is any number", () => {
    fc.assert(
      fc.property(fc.double(), (v) => {
        expect(storedValue(type("double"), v)).toBe(v);
      }),
    );
  });

  it("of a string is text that UTF-8 has", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (v) => {
        expect(storedValue(type("string"), v)).toBe(v);
      }),
    );
    expect(storedValue(type("string"), "\ud800")).toEqual(new RangeError("the text has half of a surrogate pair"));
  });

  it("of a UUID is written in lower case", () => {
    expect(storedValue(type("uuid"), "5E1FC0DE-0000-4000-8000-00000000000A")).toBe(
      "5e1fc0de-0000-4000-8000-00000000000a",
    );
    expect(storedValue(type("uuid"), "5e1fc0de")).toEqual(new RangeError("'5e1fc0de' isn't a UUID"));
  });

  it("of bytes is a copy", () => {
    const bytes = Buffer.from("xyz");
    const stored = storedValue(type("binary"), bytes) as Uint8Array;
    expect(stored).toStrictEqual(new Uint8Array([120, 121, 122]));
    bytes[0] = 0;
    expect(stored[0]).toBe(120);
    expect(storedValue({ type: "fixed", length: 3 }, bytes)).toHaveLength(3);
    expect(storedValue({ type: "fixed", length: 4 }, bytes)).toEqual(new RangeError("3 bytes, and it's a fixed(4)"));
  });

  it("of a moment has all its digits, from text or a date", () => {
    expect(storedValue(type("timestamptz"), new Date(0))).toBe("1970-01-01T00:00:00.000000Z");
    expect(storedValue(type("timestamptz"), "2024-01-31T09:30Z")).toBe("2024-01-31T09:30:00.000000Z");
    expect(storedValue(type("timestamp"), "2024-01-31T09:30")).toBe("2024-01-31T09:30:00.000000");
    expect(storedValue(type("time"), "09:30")).toBe("09:30:00.000000");
    expect(storedValue(type("date"), "2024-01-31")).toBe("2024-01-31");
    expect(storedValue(type("timestamptz"), new Date(NaN))).toEqual(
      expect.objectContaining({ message: "an invalid Date isn't an instant" }),
    );
    expect(storedValue(type("date"), "31.1.2024")).toBeInstanceOf(Error);
  });

  it("of another type is no value of the column's", () => {
    const others: readonly (readonly [
      Exclude<Type["type"], "decimal" | "fixed" | "list" | "struct" | "map">,
      unknown,
    ])[] = [
      ["boolean", 1],
      ["int", "1"],
      ["long", "1"],
      ["float", 1n],
      ["double", "1"],
      ["date", new Date(0)],
      ["time", 0],
      ["timestamp", new Date(0)],
      ["timestamptz", 0],
      ["string", 1],
      ["uuid", 1n],
      ["binary", [1]],
      ["string", null],
      ["double", undefined],
    ];
    for (const [name, value] of others) expect(storedValue(type(name), value), name).toBeUndefined();
    expect(storedValue(decimal(6, 2), 1n)).toBeUndefined();
  });
});
