/** Partition values in Avro (Appendix A, "Avro"). */
import type { AvroComplex, AvroField, AvroSchema } from "../avro/schema.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { integerBytes, integerOf, uuidBytes, uuidText } from "../values/bytes.ts";
import { decimalLength } from "../values/decimal.ts";
import type { PrimitiveValue } from "../values/value.ts";

/** The record of a spec's partitions: record `r102`, whose fields have the partition fields' ids. */
export function partitionRecord(fields: readonly TypedPartitionField[]): AvroSchema {
  return {
    type: "record",
    name: "r102",
    fields: fields.map(({ name, fieldId, type }): AvroField => ({
      name: avroName(name),
      type: ["null", avroType(type, fieldId)],
      default: null,
      "field-id": fieldId,
    })),
  };
}

/** What the encoder takes for a partition: an object by field ids. */
export function partitionToAvro(
  fields: readonly TypedPartitionField[],
  values: readonly (PrimitiveValue | null)[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ fieldId, type }, i) => [fieldId, toAvro(type, values[i] ?? null)]));
}

/** What brings a decoded value to JavaScript's form, by the type that the file has for it. */
export function fromAvro(schema: AvroSchema): (value: unknown) => PrimitiveValue | null {
  const { base, logical } = describe(schema);
  const convert = converter(base, logical);
  return (value) => (value === null || value === undefined ? null : convert(value));
}

function converter(base: string, logical: string | undefined): (value: unknown) => PrimitiveValue {
  if (base === "long") return (value) => BigInt(value as number | bigint);
  if (logical === "decimal" && (base === "bytes" || base === "fixed")) return (value) => integerOf(value as Uint8Array);
  if (logical === "uuid" && base === "fixed") return (value) => uuidText(value as Uint8Array);
  return (value) => value as PrimitiveValue;
}

/** The primitive type under a union with null and a logical type. */
function describe(schema: AvroSchema): { readonly base: string; readonly logical: string | undefined } {
  if (typeof schema === "string") return { base: schema, logical: undefined };
  if (Array.isArray(schema)) return describe((schema as readonly AvroSchema[]).find((s) => s !== "null") ?? "null");
  const { type, logicalType } = schema as AvroComplex;
  return { base: typeof type === "string" ? type : describe(type).base, logical: logicalType };
}

function toAvro(type: PrimitiveType, value: PrimitiveValue | null): unknown {
  if (value === null) return null;
  if (type.kind === "decimal") return integerBytes(value as bigint, decimalLength(type.precision));
  return type.kind === "uuid" ? uuidBytes(value as string) : value;
}

function avroType(type: PrimitiveType, fieldId: number): AvroSchema {
  switch (type.kind) {
    case "date":
      return { type: "int", logicalType: "date" };
    case "time":
      return { type: "long", logicalType: "time-micros" };
    case "timestamp":
      return { type: "long", logicalType: "timestamp-micros", "adjust-to-utc": false };
    case "timestamptz":
      return { type: "long", logicalType: "timestamp-micros", "adjust-to-utc": true };
    case "timestamp_ns":
      return { type: "long", logicalType: "timestamp-nanos", "adjust-to-utc": false };
    case "timestamptz_ns":
      return { type: "long", logicalType: "timestamp-nanos", "adjust-to-utc": true };
    case "uuid":
      return { type: "fixed", size: 16, logicalType: "uuid", name: `uuid_fixed_${fieldId}` };
    case "decimal": {
      const { precision, scale } = type;
      const size = decimalLength(precision);
      return { type: "fixed", size, logicalType: "decimal", precision, scale, name: `decimal_${fieldId}` };
    }
    case "fixed":
      return { type: "fixed", size: type.length, name: `fixed_${fieldId}` };
    case "binary":
      return "bytes";
    default:
      return type.kind;
  }
}

/** Avro's names are of letters, digits and underscores; other characters are written by their code, as the reference implementation does. */
function avroName(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_]/gu, (c) => `_x${c.codePointAt(0)!.toString(16).toUpperCase()}`)
    .replace(/^\d/, "_$&");
}
