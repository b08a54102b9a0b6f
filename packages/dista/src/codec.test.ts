import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decode } from "./decode.ts";
import { encode, encodedArray } from "./encode.ts";
import { DistaError } from "./errors.ts";

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"), { noNullPrototype: true }),
    fc.array(fc.tuple(tie("value"), tie("value"))).map((entries) => new Map(entries)),
    fc.array(tie("value")).map((elements) => new Set(elements)),
  ),
}));

describe("the codec", () => {
  it("gives back every storable value as it was", () => {
    fc.assert(
      fc.property(value, (v) => {
        expect(decode(encode(v))).toStrictEqual(v);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [-0, -0],
    [
      ["b", "12"],
      ["b", "12"],
    ],
    [new Date(NaN), new Date(NaN)],
    [Buffer.from("x"), new Uint8Array([120])],
    [new Uint8Array([1, 2, 3]).subarray(1, 2), new Uint8Array([2])],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      [1, , 3],
      [1, undefined, 3],
    ],
  ])("gives %o back as %o", (v, back) => {
    expect(decode(encode(v))).toStrictEqual(back);
  });

  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  it.each([
    [() => 1, "outputs must be storable: output is a function"],
    [{ rows: [{ get: () => 1 }] }, "outputs must be storable: output.rows[0].get is a function"],
    [new Map([[Symbol("x"), 1]]), "outputs must be storable: a key of output is a symbol"],
    [[new Set([new Error("x")])], "outputs must be storable: an element of output[0] is a class instance (Error)"],
    [{ pages: [Promise.resolve(1)] }, "outputs must be storable: output.pages[0] is a promise: await it"],
    [new URL("http://x"), "outputs must be storable: output is a class instance (URL)"],
    [new (class extends Map {})(), "outputs must be storable: output is a class instance (of no name)"],
    [new Float64Array(1), "outputs must be storable: output is a class instance (Float64Array)"],
    [loop, `outputs must be storable: output${".self".repeat(20)}… is nested over 500 deep, or in itself`],
  ])("refuses %o, saying where it is", (v, message) => {
    expect(() => encode(v)).toThrow(expect.objectContaining({ code: "not-storable", message }));
  });

  const TOO_MANY = "outputs must be storable: output has over 10000000 parts: put data into tables";
  /** It claims to have elements that take no memory. */
  const sparse = (length: number) => Object.assign([], { length });
  const numbers = Array.from({ length: 100_000 }, (_, i) => i);

  it("refuses an array that claims to have more elements than memory, at once", () => {
    expect(() => encode({ rows: sparse(4_000_000_000) })).toThrow(TOO_MANY);
  });

  it.each([
    ["an array's elements", numbers],
    ["an object's fields", Object.fromEntries(numbers.map((n) => [`n${n}`, n]))],
    ["a Map's keys and values", new Map(numbers.slice(50_000).map((n) => [n, n]))],
    ["a Set's elements", new Set(numbers)],
  ])("counts %s among the parts of all that a value holds", (_, held) => {
    expect(() => encode([held, sparse(10_000_000 - 2 - 100_000 + 1)])).toThrow(TOO_MANY);
  });

  it("refuses bytes, and a text, that no string can be of", () => {
    expect(() => encode({ file: new Uint8Array(2 ** 28 + 1) })).toThrow(
      "outputs must be storable: output.file is 268435457 bytes, of which 268435456 can be stored: put data into files",
    );
    const stringify = vi.spyOn(JSON, "stringify").mockImplementationOnce(() => {
      throw new RangeError("Invalid string length");
    });
    expect(() => encode("x")).toThrow(
      expect.objectContaining({
        code: "not-storable",
        message: "outputs must be storable: output is longer as text than a string can be: put data into tables",
      }),
    );
    stringify.mockRestore();
  });

  it("makes an array's text of its elements' texts", () => {
    expect(encodedArray([1n, "x", []].map((v) => encode(v)))).toBe(encode([1n, "x", []]));
    expect(encodedArray([])).toBe(encode([]));
  });

  it.each([
    ["", "isn't JSON"],
    ["{", "isn't JSON"],
    ["[]", "has an array without a tag"],
    ['["z",1]', "has the unknown tag 'z'"],
    ['[["a"]]', "has an array without a tag"],
    ['["b"]', "has a bigint without its digits"],
    ['["b","x"]', "has a bigint without its digits"],
    ['["b",12]', "has a bigint without its digits"],
    ['["b","0x1"]', "has a bigint without its digits"],
    ['["b",""]', "has a bigint without its digits"],
    ['["b","1","2"]', "has a bigint without its digits"],
    ['["z",1,2]', "has the unknown tag 'z'"],
    [`["${"z".repeat(1_000)}"]`, `has the unknown tag '${"z".repeat(20)}…'`],
    ['["d"]', "has a Date without its milliseconds"],
    ['["d","2024"]', "has a Date without its milliseconds"],
    ['["d",8640000000000001]', "has a Date without its milliseconds"],
    ['["m",1]', "has a Map's entry that isn't a key and a value"],
    ['["m",["a"]]', "has a Map's entry that isn't a key and a value"],
    ['["m",[1,2,3]]', "has a Map's entry that isn't a key and a value"],
    ['["n"]', "has a tagged number that isn't NaN, -0 or infinite"],
    ['["n","1"]', "has a tagged number that isn't NaN, -0 or infinite"],
    ['["u",null]', "has an undefined with a value"],
    ['["x"]', "has bytes that aren't base64"],
    ['["x","é"]', "has bytes that aren't base64"],
    ['["x",["eA=="]]', "has bytes that aren't base64"],
    ['["a",{"rows":["b",null]}]', "has a bigint without its digits"],
    [`${'["a",'.repeat(5_000)}1${"]".repeat(5_000)}`, "is nested over 1000 deep"],
  ])("refuses the text %s, which it didn't write", (text, why) => {
    expect(() => decode(text)).toThrow(
      expect.objectContaining({ code: "not-encoded", message: expect.stringContaining(`a stored value ${why}`) }),
    );
  });

  it("gives back what is nested as deep as can be stored, also in arrays that were put around it", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 500; i++) deep = [deep];
    expect(decode(encodedArray([encodedArray([encode(deep)])]))).toEqual([[deep]]);
    expect(() => encode([deep])).toThrow("is nested over 500 deep");
  });

  const tag = fc.constantFrom("a", "b", "d", "m", "n", "s", "u", "x", "z");
  const written = fc.oneof(fc.jsonValue(), fc.constantFrom("12", "NaN", "-0", "eA==", "eA", 0, 1.5, 1e300, null));
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small" },
      written,
      fc.tuple(tag, fc.array(tie("json"), { maxLength: 3 })).map(([t, rest]) => [t, ...rest]),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("json"), { maxKeys: 3 }),
    ),
  }));
  it("makes of any JSON either a value that it can store, or a DistaError with one sentence", () => {
    const isRight = (v: unknown) => {
      try {
        const decoded = decode(JSON.stringify(v));
        return isDeepStrictEqual(decode(encode(decoded)), decoded);
      } catch (error) {
        const isOurs = error instanceof DistaError && error.code === "not-encoded";
        return isOurs && /^a stored value .{1,120}$/.test(error.message);
      }
    };
    fc.assert(
      fc.property(json, (v) => {
        expect(v).toSatisfy(isRight);
      }),
      { numRuns: 5_000 },
    );
  });
});
