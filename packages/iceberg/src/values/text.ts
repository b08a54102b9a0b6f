/** Values as people read them, in partition paths and messages. */
import type { PrimitiveType } from "../schema/type.ts";
import { dateText, MICROSECONDS, NANOSECONDS, timestampText, timeText } from "./calendar.ts";
import { decimalText } from "./decimal.ts";
import type { PrimitiveValue } from "./value.ts";

/** `2017-11-16T22:31:08.5+00:00`, `14.20`, and base64 of bytes: as the reference implementation names partitions. */
export function valueText(type: PrimitiveType, value: PrimitiveValue): string {
  switch (type.kind) {
    case "decimal":
      return decimalText(value as bigint, type.scale);
    case "date":
      return dateText(value as number);
    case "time":
      return withoutZeros(timeText(value as bigint, MICROSECONDS));
    case "timestamp":
      return withoutZeros(timestampText(value as bigint, MICROSECONDS));
    case "timestamptz":
      return `${withoutZeros(timestampText(value as bigint, MICROSECONDS))}+00:00`;
    case "timestamp_ns":
      return withoutZeros(timestampText(value as bigint, NANOSECONDS));
    case "timestamptz_ns":
      return `${withoutZeros(timestampText(value as bigint, NANOSECONDS))}+00:00`;
    case "fixed":
    case "binary":
      return Buffer.from(value as Uint8Array).toString("base64");
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
}

function withoutZeros(time: string): string {
  return time.replace(/\.?0+$/, "");
}
