/** Single values as bytes (Appendix D, "Binary single-value serialization"): what bounds in manifests are. */
import { IcebergError } from "../errors.ts";
import { typeText } from "../schema/type-text.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { hex, integerBytes, integerOf, textOf, utf8, uuidBytes, uuidText } from "./bytes.ts";
import type { PrimitiveValue } from "./value.ts";

/** The bytes of a value (Appendix D). */
export function toBytes(type: PrimitiveType, value: PrimitiveValue): Uint8Array {
  switch (type.kind) {
    case "boolean":
      return Uint8Array.of(value === true ? 1 : 0);
    case "int":
    case "date":
      return littleEndian(4, (view) => view.setInt32(0, value as number, true));
    case "long":
    case "time":
    case "timestamp":
    case "timestamptz":
    case "timestamp_ns":
    case "timestamptz_ns":
      return littleEndian(8, (view) => view.setBigInt64(0, value as bigint, true));
    case "float":
      return littleEndian(4, (view) => view.setFloat32(0, value as number, true));
    case "double":
      return littleEndian(8, (view) => view.setFloat64(0, value as number, true));
    case "decimal":
      return integerBytes(value as bigint);
    case "string":
      return utf8(value as string);
    case "uuid":
      return uuidBytes(value as string);
    case "fixed":
    case "binary":
      return value as Uint8Array;
    default:
      return type satisfies never;
  }
}

/**
 * The value of bytes. Bytes that were written before the column was promoted (int to long, float to double, date to timestamp) are
 * read as what they were and promoted ("Schema Evolution").
 *
 * @throws IcebergError `invalid-value` if no value of the type has these bytes.
 */
export function fromBytes(type: PrimitiveType, bytes: Uint8Array): PrimitiveValue {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  switch (type.kind) {
    case "boolean":
      if (length === 1) return bytes[0] !== 0;
      break;
    case "int":
    case "date":
      if (length === 4) return view.getInt32(0, true);
      break;
    case "long":
      if (length === 4) return BigInt(view.getInt32(0, true));
      if (length === 8) return view.getBigInt64(0, true);
      break;
    case "timestamp":
    case "timestamp_ns":
      if (length === 4)
        return BigInt(view.getInt32(0, true)) * 86_400n * (type.kind === "timestamp" ? 1_000_000n : 1_000_000_000n);
      if (length === 8) return view.getBigInt64(0, true);
      break;
    case "time":
    case "timestamptz":
    case "timestamptz_ns":
      if (length === 8) return view.getBigInt64(0, true);
      break;
    case "float":
      if (length === 4) return view.getFloat32(0, true);
      break;
    case "double":
      if (length === 4) return view.getFloat32(0, true);
      if (length === 8) return view.getFloat64(0, true);
      break;
    case "decimal":
      if (length >= 1 && length <= 17) return integerOf(bytes);
      break;
    case "string": {
      const text = textOf(bytes);
      if (text !== undefined) return text;
      break;
    }
    case "uuid":
      if (length === 16) return uuidText(bytes);
      break;
    case "fixed": // a bound of one may be cut short
    case "binary":
      return bytes;
    default:
      return type satisfies never;
  }
  const shown = length > 16 ? `${length} bytes` : `0x${hex(bytes)}`;
  throw new IcebergError("invalid-value", `${shown} isn't the binary form of type ${typeText(type)}`);
}

function littleEndian(length: number, set: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(length);
  set(new DataView(bytes.buffer));
  return bytes;
}
