/** Arbitrary types and values of them, for property tests. */
import fc from "fast-check";
import { SIMPLE_KINDS, type PrimitiveType } from "../schema/type.ts";
import type { PrimitiveValue } from "./value.ts";

export const primitiveTypes: fc.Arbitrary<PrimitiveType> = fc.oneof(
  fc.constantFrom(...SIMPLE_KINDS).map((kind) => ({ kind })),
  fc
    .integer({ min: 1, max: 38 })
    .chain((precision) =>
      fc.integer({ min: 0, max: precision }).map((scale) => ({ kind: "decimal" as const, precision, scale })),
    ),
  fc.integer({ min: 1, max: 20 }).map((length) => ({ kind: "fixed" as const, length })),
);

const longs = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Any value of a type: NaN, infinities and -0 included. */
export function valuesOf(type: PrimitiveType): fc.Arbitrary<PrimitiveValue> {
  switch (type.kind) {
    case "boolean":
      return fc.boolean();
    case "int":
    case "date":
      return fc.integer();
    case "time":
      return fc.bigInt({ min: 0n, max: 86_399_999_999n });
    case "float":
      return fc.float();
    case "double":
      return fc.double();
    case "decimal": {
      const max = 10n ** BigInt(type.precision) - 1n;
      return fc.bigInt({ min: -max, max });
    }
    case "string":
      return fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 40 }));
    case "uuid":
      return fc.uuid();
    case "fixed":
      return fc.uint8Array({ minLength: type.length, maxLength: type.length });
    case "binary":
      return fc.uint8Array({ maxLength: 40 });
    default:
      return longs;
  }
}

/** Values of one type that are near each other, so that comparisons come out each way. */
export function nearValues(type: PrimitiveType): fc.Arbitrary<PrimitiveValue> {
  switch (type.kind) {
    case "int":
    case "date":
      return fc.integer({ min: -40, max: 40 });
    case "float":
    case "double":
      return fc.constantFrom(Number.NaN, -Infinity, -1.5, -0, 0, 1, 2.5, Infinity);
    case "string":
      return fc.string({ unit: fc.constantFrom("a", "b", "\u{1F600}", "\uFFFD"), maxLength: 20 });
    case "binary":
      return fc.array(fc.constantFrom(0, 1, 255), { maxLength: 20 }).map((bytes) => Uint8Array.from(bytes));
    case "timestamp":
    case "timestamptz":
      return fc.bigInt({ min: -100n * 86_400_000_000n, max: 100n * 86_400_000_000n });
    case "long":
      return fc.bigInt({ min: -40n, max: 40n });
    case "decimal": // -9 with one digit would be rounded down to what has two
      return fc.bigInt(type.precision === 1 ? { min: 0n, max: 9n } : { min: -40n, max: 40n });
    default:
      return valuesOf(type);
  }
}

/** A type with one of its values. */
export const typedValues = primitiveTypes.chain((type) => valuesOf(type).map((value) => ({ type, value })));
