import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode, encodedArray } from "./codec.ts";

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

  it("refuses an array that claims to have more elements than memory, at once", () => {
    const sparse: number[] = [];
    sparse[3_999_999_999] = 1;
    expect(() => encode(sparse)).toThrow("output is an array of 4000000000 elements, of which 10000000 can be stored");
  });

  it("makes an array's text of its elements' texts", () => {
    expect(encodedArray([1n, "x", []].map((v) => encode(v)))).toBe(encode([1n, "x", []]));
    expect(encodedArray([])).toBe(encode([]));
  });

  it.each(["", "{", '["z",1]', "[]"])("refuses the text %j, which it didn't write", (text) => {
    expect(() => decode(text)).toThrow(expect.objectContaining({ code: "not-encoded" }));
  });
});
