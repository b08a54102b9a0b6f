/** Values of DuckDB's in the buffers that Arrow has for them: its own builders lose microseconds. */
import type { Data, DataType } from "apache-arrow";
import type {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUUIDValue,
  DuckDBValue,
} from "@duckdb/node-api";
import { utf8, uuidBytes } from "../values/bytes.ts";
import type { Arrow } from "./arrow-type.ts";

type Values = readonly (DuckDBValue | null)[];

export function arrowData(type: DataType, values: Values, arrow: Arrow): Data {
  const { length } = values;
  const nullCount = values.reduce<number>((n, v) => n + Number(v === null), 0);
  const props = { type, length, nullCount, ...(nullCount > 0 && { nullBitmap: bits(values, (v) => v !== null) }) };
  return arrow.makeData({ ...props, ...buffers(type, values, arrow) } as never);
}

/** What holds the values, beside which are null. */
function buffers(type: DataType, values: Values, arrow: Arrow): object {
  const { DataType: Is } = arrow;
  if (Is.isBool(type)) return { data: bits(values, (v) => v === true) };
  if (Is.isUtf8(type)) return bytes(values, (v) => utf8(v as string));
  if (Is.isBinary(type)) return bytes(values, (v) => (v as DuckDBBlobValue).bytes);
  if (Is.isFixedSizeBinary(type)) {
    const data = new Uint8Array(values.length * type.byteWidth);
    for (const [i, v] of values.entries()) if (v !== null) data.set(fixedBytes(v), i * type.byteWidth);
    return { data };
  }
  if (Is.isDecimal(type)) return { data: decimals(values) };
  if (Is.isList(type)) return lists(type.children[0]!.type, values, (v) => (v as DuckDBListValue).items, arrow);
  if (Is.isStruct(type))
    return { children: structs(type, values, (v, name) => (v as DuckDBStructValue).entries[name]!, arrow) };
  if (Is.isMap(type)) {
    const { offsets, items } = flat(values, (v) => (v as DuckDBMapValue).entries);
    const [key, value] = (type.children[0]!.type as InstanceType<Arrow["Struct"]>).children;
    const child = arrow.makeData({
      type: type.children[0]!.type,
      length: items.length,
      nullCount: 0,
      children: [
        arrowData(
          key!.type as DataType,
          items.map((e) => e.key),
          arrow,
        ),
        arrowData(
          value!.type as DataType,
          items.map((e) => e.value),
          arrow,
        ),
      ],
    } as never);
    return { valueOffsets: offsets, child };
  }
  // numbers, and what is kept as numbers
  const data = new (type.ArrayType as new (length: number) => Record<number, number | bigint>)(values.length);
  for (const [i, v] of values.entries()) if (v !== null) data[i] = numberOf(v);
  return { data };
}

function numberOf(v: DuckDBValue): number | bigint {
  if (typeof v === "number" || typeof v === "bigint") return v;
  if (typeof v === "object" && v !== null) {
    if ("days" in v) return (v as DuckDBDateValue).days;
    if ("nanos" in v) return (v as DuckDBTimestampNanosecondsValue).nanos;
  }
  return (v as DuckDBTimestampValue | DuckDBTimeValue).micros;
}

/** Little-endian numbers of 128 bits. */
function decimals(values: Values): Uint32Array {
  const data = new BigUint64Array(2 * values.length);
  for (const [i, v] of values.entries()) {
    if (v === null) continue;
    const unscaled = typeof v === "bigint" ? v : (v as DuckDBDecimalValue).value;
    data[2 * i] = BigInt.asUintN(64, unscaled);
    data[2 * i + 1] = BigInt.asUintN(64, unscaled >> 64n);
  }
  return new Uint32Array(data.buffer);
}

function fixedBytes(v: DuckDBValue): Uint8Array {
  if (typeof v === "object" && v !== null && "bytes" in v) return v.bytes;
  return uuidBytes((v as DuckDBUUIDValue).toString());
}

function bytes(values: Values, bytesOf: (v: DuckDBValue) => Uint8Array): object {
  const parts = values.map((v) => (v === null ? undefined : bytesOf(v)));
  const offsets = new Int32Array(values.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + (part?.length ?? 0);
  const data = new Uint8Array(offsets.at(-1)!);
  for (const [i, part] of parts.entries()) if (part !== undefined) data.set(part, offsets[i]);
  return { valueOffsets: offsets, data };
}

function lists(item: DataType, values: Values, itemsOf: (v: DuckDBValue) => Values, arrow: Arrow): object {
  const { offsets, items } = flat(values, itemsOf);
  return { valueOffsets: offsets, child: arrowData(item, items, arrow) };
}

function structs(
  type: InstanceType<Arrow["Struct"]>,
  values: Values,
  partOf: (v: DuckDBValue, name: string) => DuckDBValue,
  arrow: Arrow,
): readonly Data[] {
  return type.children.map((part) => {
    const inside = values.map((v) => (v === null ? null : partOf(v, part.name)));
    return arrowData(part.type as DataType, inside, arrow);
  });
}

/** All items of lists in one, and where each list's begin. */
function flat<T>(
  values: Values,
  itemsOf: (v: DuckDBValue) => readonly T[],
): { readonly offsets: Int32Array; readonly items: readonly T[] } {
  const offsets = new Int32Array(values.length + 1);
  const items: T[] = [];
  for (const [i, v] of values.entries()) {
    if (v !== null) for (const item of itemsOf(v)) items.push(item);
    offsets[i + 1] = items.length;
  }
  return { offsets, items };
}

function bits(values: Values, isSet: (v: DuckDBValue) => boolean): Uint8Array {
  const data = new Uint8Array(Math.ceil(values.length / 8));
  for (const [i, v] of values.entries()) if (isSet(v)) data[i >> 3]! |= 1 << (i & 7);
  return data;
}
