import { describe, expect, it } from "vitest";
import { parseType } from "../schema/type-json.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { fromBytes, toBytes } from "./binary.ts";
import { hex, parseHex, utf8 } from "./bytes.ts";
import { lowerBound, upperBound } from "./bounds.ts";
import { valueText } from "./text.ts";
import { toValue } from "./to-value.ts";
import { valueToJson } from "./value-json.ts";

const primitive = (text: string) => parseType(text) as PrimitiveType;

describe("what the specification's Appendix D has as examples of JSON", () => {
  it.each([
    ["boolean", true, true],
    ["int", 34, 34],
    ["long", 34, 34],
    ["double", 1, 1],
    ["decimal(9,2)", "14.20", "14.20"],
    ["decimal(38,0)", "2E+20", "200000000000000000000"],
    ["date", "2017-11-16", "2017-11-16"],
    ["time", "22:31:08.123456", "22:31:08.123456"],
    ["timestamp", "2017-11-16T22:31:08.123456", "2017-11-16T22:31:08.123456"],
    ["timestamptz", "2017-11-16T22:31:08.123456+00:00", "2017-11-16T22:31:08.123456+00:00"],
    ["timestamp_ns", "2017-11-16T22:31:08.123456789", "2017-11-16T22:31:08.123456789"],
    ["timestamptz_ns", "2017-11-16T14:31:08.123456789-08:00", "2017-11-16T22:31:08.123456789+00:00"],
    ["string", "iceberg", "iceberg"],
    ["uuid", "F79C3E09-677C-4bbd-a479-3f349cb785e7", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
    ["fixed[4]", Uint8Array.of(0, 1, 2, 255), "000102ff"],
    ["binary", Uint8Array.of(0, 1, 2, 255), "000102ff"],
  ])("%s", (text, given, json) => {
    const type = parseType(text);
    expect(valueToJson(type, toValue(type, given, "value"))).toBe(json);
  });

  it("structs, lists and maps", () => {
    const type = parseType({
      type: "struct",
      fields: [
        { id: 1, name: "a", required: true, type: "int" },
        {
          id: 2,
          name: "b",
          required: false,
          type: { type: "list", "element-id": 3, element: "int", "element-required": true },
        },
        {
          id: 4,
          name: "c",
          required: false,
          type: { type: "map", "key-id": 5, key: "string", "value-id": 6, value: "int", "value-required": true },
        },
      ],
    });
    const value = toValue(type, { a: 1, b: [1, 2, 3], c: new Map([["a", 1]]) }, "row");
    expect(valueToJson(type, value)).toEqual({ "1": 1, "2": [1, 2, 3], "4": { keys: ["a"], values: [1] } });
  });
});

describe("bytes", () => {
  it.each([
    ["int", 34, "22000000"],
    ["long", 34n, "2200000000000000"],
    ["decimal(9,2)", 1420n, "058c"],
    ["decimal(9,2)", -1n, "ff"],
    ["decimal(9,2)", 128n, "0080"],
    ["decimal(9,2)", 0n, "00"],
    ["boolean", true, "01"],
    ["uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7", "f79c3e09677c4bbda4793f349cb785e7"],
    ["string", "a", "61"],
  ])("of %s %s", (text, value, bytes) => {
    expect(hex(toBytes(primitive(text), value))).toBe(bytes);
  });

  it.each([
    ["long", "22000000", 34n],
    ["double", "0000c03f", 1.5],
    ["timestamp", "01000000", 86_400_000_000n],
    ["timestamp_ns", "ffffffff", -86_400_000_000_000n],
  ])("that were written before a promotion to %s are read as what they were", (text, bytes, value) => {
    expect(fromBytes(primitive(text), parseHex(bytes)!)).toBe(value);
  });

  it("that no value has are refused", () => {
    expect(() => fromBytes(primitive("long"), parseHex("0102")!)).toThrow("0x0102 isn't the binary form of type long");
    expect(() => fromBytes(primitive("string"), parseHex("e282")!)).toThrow(
      "0xe282 isn't the binary form of type string",
    );
  });
});

describe("bounds", () => {
  const string = primitive("string");

  it("of long texts are cut at 16 code points, and the upper one is the next text of that length", () => {
    const long = "\u{1F600}".repeat(20);
    expect(lowerBound(string, long)).toEqual(utf8("\u{1F600}".repeat(16)));
    expect(upperBound(string, long)).toEqual(utf8(`${"\u{1F600}".repeat(15)}\u{1F601}`));
  });

  it("skip the surrogates, and drop characters that none is above", () => {
    expect(upperBound(string, `${"a".repeat(15)}\uD7FFb`)).toEqual(utf8(`${"a".repeat(15)}\uE000`));
    expect(upperBound(string, `${"a".repeat(15)}\u{10FFFF}b`)).toEqual(utf8(`${"a".repeat(14)}b`));
    expect(upperBound(string, "\u{10FFFF}".repeat(17))).toBeUndefined();
    expect(upperBound(primitive("binary"), new Uint8Array(17).fill(255))).toBeUndefined();
  });

  it("of 0 and -0 are -0 and 0", () => {
    expect(lowerBound(primitive("float"), 0)).toEqual(toBytes(primitive("float"), -0));
    expect(upperBound(primitive("double"), -0)).toEqual(toBytes(primitive("double"), 0));
  });
});

describe("what isn't of a type is refused with its place", () => {
  it.each([
    ["int", 2 ** 31, "column a is 2147483648, which isn't of type int"],
    ["int", 1.5, "column a is 1.5, which isn't of type int"],
    ["long", 2n ** 63n, "column a is 9223372036854775808n, which isn't of type long"],
    ["decimal(4, 2)", "14.205", 'column a is "14.205", which isn\'t of type decimal(4, 2)'],
    ["decimal(4, 2)", "100", 'column a is "100", which isn\'t of type decimal(4, 2)'],
    ["date", "2017-02-29", 'column a is "2017-02-29", which isn\'t of type date'],
    ["timestamp", "2017-11-16T22:31:08Z", 'column a is "2017-11-16T22:31:08Z", which isn\'t of type timestamp'],
    ["timestamptz", "2017-11-16T22:31:08", 'column a is "2017-11-16T22:31:08", which isn\'t of type timestamptz'],
    ["time", "24:00:00", 'column a is "24:00:00", which isn\'t of type time'],
    ["uuid", "x", 'column a is "x", which isn\'t of type uuid'],
    ["fixed[2]", new Uint8Array(3), "column a is 3 bytes, which isn't of type fixed[2]"],
    ["string", 1, "column a is 1, which isn't of type string"],
  ])("%s", (text, given, message) => {
    expect(() => toValue(parseType(text), given, "column a")).toThrow(message);
  });
});

it("writes values as people read them", () => {
  expect(valueText(primitive("timestamptz"), -1n)).toBe("1969-12-31T23:59:59.999999+00:00");
  expect(valueText(primitive("timestamp"), 500_000n)).toBe("1970-01-01T00:00:00.5");
  expect(valueText(primitive("timestamp"), 0n)).toBe("1970-01-01T00:00:00");
  expect(valueText(primitive("decimal(4, 2)"), -5n)).toBe("-0.05");
  expect(valueText(primitive("date"), -719_529)).toBe("-0001-12-31");
  expect(valueText(primitive("binary"), Uint8Array.of(1, 2))).toBe("AQI=");
});
