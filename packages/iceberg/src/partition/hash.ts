/** The hash of a value, by its type (Appendix B): the same before and after the type's promotion. */
import type { PrimitiveType } from "../schema/type.ts";
import { toBytes } from "../values/binary.ts";
import { floorDiv } from "../values/calendar.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { murmur3 } from "./murmur3.ts";

/** The hash as a signed int. Integers, dates and floats are hashed as 8 bytes, and nanoseconds as microseconds. */
export function hashValue(type: PrimitiveType, value: PrimitiveValue): number {
  switch (type.kind) {
    case "boolean":
      return hashLong(value === true ? 1n : 0n);
    case "int":
    case "date":
      return hashLong(BigInt(value as number));
    case "timestamp_ns":
    case "timestamptz_ns":
      return hashLong(floorDiv(value as bigint, 1000n));
    case "float":
    case "double":
      return murmur3(toBytes({ kind: "double" }, (value as number) + 0)); // + 0: -0 becomes 0
    default:
      return murmur3(toBytes(type, value));
  }
}

function hashLong(n: bigint): number {
  return murmur3(toBytes({ kind: "long" }, n));
}
