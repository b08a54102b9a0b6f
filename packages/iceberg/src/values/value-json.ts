/** Single values as JSON (Appendix D, "JSON single-value serialization"): what default values are. */
import { IcebergError } from "../errors.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { asArray, asBoolean, asInteger, asLong, asString, at, unexpected, type Place } from "../json/read.ts";
import { typeText } from "../schema/type-text.ts";
import type { PrimitiveType, Type } from "../schema/type.ts";
import { hex, parseHex } from "./bytes.ts";
import { dateText, MICROSECONDS, NANOSECONDS, timestampText, timeText } from "./calendar.ts";
import { decimalText } from "./decimal.ts";
import { toPrimitive } from "./to-value.ts";
import type { PrimitiveValue, StructValue, Value } from "./value.ts";

/**
 * The JSON of a value.
 *
 * @throws IcebergError `invalid-value` for NaN and infinities, which JSON lacks.
 */
export function valueToJson(type: Type, value: Value | null): Json {
  if (value === null) return null;
  switch (type.kind) {
    case "struct":
      return Object.fromEntries(
        type.fields.flatMap((f) => {
          const v = (value as StructValue)[f.name];
          return v === undefined ? [] : [[String(f.id), valueToJson(f.type, v)]];
        }),
      );
    case "list":
      return (value as readonly (Value | null)[]).map((v) => valueToJson(type.element, v));
    case "map": {
      const map = value as ReadonlyMap<Value, Value | null>;
      return {
        keys: Array.from(map.keys(), (k) => valueToJson(type.key, k)),
        values: Array.from(map.values(), (v) => valueToJson(type.value, v)),
      };
    }
    default:
      return primitiveToJson(type, value as PrimitiveValue);
  }
}

/**
 * The value of its JSON.
 *
 * @throws IcebergError `invalid-metadata` or `invalid-value`, with the path, if it isn't of the type.
 */
export function valueFromJson(type: Type, place: Place): Value | null {
  if (place.json === null) return null;
  switch (type.kind) {
    case "struct":
      return Object.fromEntries(
        type.fields.flatMap((f) => {
          const field = at(place, String(f.id));
          return field.json === undefined ? [] : [[f.name, valueFromJson(f.type, field)]];
        }),
      );
    case "list":
      return asArray(place, (element) => valueFromJson(type.element, element));
    case "map": {
      const keys = asArray(at(place, "keys"), (key) => valueFromJson(type.key, key));
      const values = asArray(at(place, "values"), (v) => valueFromJson(type.value, v));
      if (keys.length !== values.length) throw unexpected(place, "as many keys as values");
      return new Map(keys.map((key, i) => [key as Value, values[i]!]));
    }
    default:
      return primitiveFromJson(type, place);
  }
}

function primitiveToJson(type: PrimitiveType, value: PrimitiveValue): Json {
  switch (type.kind) {
    case "float":
    case "double":
      if (!Number.isFinite(value))
        throw new IcebergError("invalid-value", `${String(value)} as a ${typeText(type)} has no form in JSON`);
      return value as number;
    case "long": {
      const n = Number(value);
      return Number.isSafeInteger(n) ? n : (value as bigint);
    }
    case "decimal":
      return decimalText(value as bigint, type.scale);
    case "date":
      return dateText(value as number);
    case "time":
      return timeText(value as bigint, MICROSECONDS);
    case "timestamp":
      return timestampText(value as bigint, MICROSECONDS);
    case "timestamptz":
      return `${timestampText(value as bigint, MICROSECONDS)}+00:00`;
    case "timestamp_ns":
      return timestampText(value as bigint, NANOSECONDS);
    case "timestamptz_ns":
      return `${timestampText(value as bigint, NANOSECONDS)}+00:00`;
    case "fixed":
    case "binary":
      return hex(value as Uint8Array);
    default:
      return value as Json & JsonObject;
  }
}

function primitiveFromJson(type: PrimitiveType, place: Place): PrimitiveValue {
  switch (type.kind) {
    case "boolean":
      return asBoolean(place);
    case "int":
      return toPrimitive(type, asInteger(place), place.path);
    case "long":
      return asLong(place);
    case "float":
    case "double":
      if (typeof place.json !== "number" && typeof place.json !== "bigint") throw unexpected(place, "a number");
      return toPrimitive(type, Number(place.json), place.path);
    case "fixed":
    case "binary":
      return toPrimitive(type, parseHex(asString(place)), place.path);
    default:
      return toPrimitive(type, asString(place), place.path);
  }
}
