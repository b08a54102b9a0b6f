/** Rows of Arrow's record batches, read from their buffers: what Arrow's own accessors give has no microseconds. */
import { IcebergError } from "../errors.ts";
import { childFields, type Field, type Type } from "../schema/type.ts";
import { NANOSECONDS, timestampText, timeText } from "../values/calendar.ts";
import { decimalText } from "../values/decimal.ts";

/** A record batch, or a table of several (`batches`), by what both have in every version of `apache-arrow`. */
export interface ArrowBatch {
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  readonly numRows: number;
  getChildAt(index: number): unknown;
}
interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
}
interface ArrowType {
  readonly typeId: number;
  readonly children?: readonly ArrowField[] | null;
  readonly unit?: number;
  readonly scale?: number;
  readonly byteWidth?: number;
  readonly bitWidth?: number;
  readonly listSize?: number;
  readonly precision?: number;
  readonly timezone?: string | null;
}
interface ArrowVector {
  readonly data: readonly ArrowData[];
}
interface ArrowData {
  readonly type: ArrowType;
  readonly length: number;
  readonly offset: number;
  readonly values: ArrayLike<number | bigint> & { subarray(start: number, end: number): ArrayLike<number> };
  readonly valueOffsets: ArrayLike<number | bigint>;
  readonly children: readonly ArrowData[];
  readonly dictionary?: ArrowVector;
  getValid(index: number): boolean;
}

/** Whether a value is a record batch of Arrow's, or a table. */
export function isArrowBatch(value: unknown): value is ArrowBatch {
  const batch = value as Partial<ArrowBatch> | null;
  return typeof batch === "object" && Array.isArray(batch?.schema?.fields) && typeof batch.getChildAt === "function";
}

/** The rows of a batch or table, with values in forms that `toValue` takes. */
export function* arrowRows(given: ArrowBatch, fields: readonly Field[]): Generator<Readonly<Record<string, unknown>>> {
  for (const batch of "batches" in given ? (given.batches as readonly ArrowBatch[]) : [given]) {
    const columns = batch.schema.fields.map(({ name }, i) => ({
      name,
      data: (batch.getChildAt(i) as ArrowVector | null)?.data[0],
      type: fields.find((f) => f.name === name)?.type,
    }));
    for (let row = 0; row < batch.numRows; row++)
      yield Object.fromEntries(
        columns.map(({ name, data, type }) => [name, data === undefined ? null : read(data, row, type)]),
      );
  }
}

/** Arrow's type ids, those that are read. */
const [INT, FLOAT, BINARY, UTF8, BOOL, DECIMAL, DATE, TIME, TIMESTAMP] = [2, 3, 4, 5, 6, 7, 8, 9, 10];
const [NULL, LIST, STRUCT, FIXED_BINARY, FIXED_LIST, MAP] = [1, 12, 13, 15, 16, 17];
const [LARGE_BINARY, LARGE_UTF8, DICTIONARY] = [19, 20, -1];
/** By Arrow's units: seconds, milliseconds, microseconds, nanoseconds. */
const NANOS_PER_UNIT = [1_000_000_000n, 1_000_000n, 1000n, 1n] as const;
const HALF_FLOAT_BITS = 16;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** @param into the type of the table's column, which says in which unit times are to be. */
function read(data: ArrowData, i: number, into: Type | undefined): unknown {
  const { type, values } = data;
  if (type.typeId === NULL || !data.getValid(i)) return null;
  switch (type.typeId) {
    case DICTIONARY: {
      let at = Number(values[i]);
      for (const part of data.dictionary!.data) {
        if (at < part.length) return read(part, at, into);
        at -= part.length;
      }
      return null;
    }
    case INT:
      return values[i];
    case FLOAT:
      if ((type.precision ?? 1) === 0 || type.bitWidth === HALF_FLOAT_BITS) break;
      return values[i];
    case BOOL:
      return ((Number(values[(data.offset + i) >> 3]) >> ((data.offset + i) & 7)) & 1) === 1;
    case UTF8:
    case LARGE_UTF8:
      return decoder.decode(bytesAt(data, ...offsetsAt(data, i)));
    case BINARY:
    case LARGE_BINARY:
      return bytesAt(data, ...offsetsAt(data, i));
    case FIXED_BINARY:
      return bytesAt(data, i * type.byteWidth!, (i + 1) * type.byteWidth!);
    case DECIMAL: {
      const words = (type.bitWidth ?? 128) / 32;
      let unscaled = 0n;
      for (let w = words - 1; w >= 0; w--) unscaled = (unscaled << 32n) | BigInt(values[i * words + w]!);
      return decimalText(BigInt.asIntN(words * 32, unscaled), type.scale!);
    }
    case DATE:
      return type.unit === 0 ? values[i] : new Date(Number(values[i]));
    case TIME: {
      const nanos = BigInt(values[i]!) * NANOS_PER_UNIT[type.unit as 0];
      return nanos % 1000n === 0n ? nanos / 1000n : timeText(nanos, NANOSECONDS);
    }
    case TIMESTAMP:
      return timestampOf(BigInt(values[i]!) * NANOS_PER_UNIT[type.unit as 0], Boolean(type.timezone), into);
    case LIST:
    case FIXED_LIST: {
      const [start, end] =
        type.typeId === LIST ? offsetsAt(data, i) : ([i * type.listSize!, (i + 1) * type.listSize!] as const);
      const element = into && childFields(into)[0]?.type;
      return Array.from({ length: end - start }, (_, k) => read(data.children[0]!, start + k, element));
    }
    case STRUCT:
      return Object.fromEntries(
        type.children!.map(({ name }, c) => [
          name,
          read(data.children[c]!, i, into && childFields(into).find((f) => f.name === name)?.type),
        ]),
      );
    case MAP: {
      const [keys, mapped] = data.children[0]!.children as [ArrowData, ArrowData];
      const [key, value] = into === undefined ? [] : childFields(into).map((f) => f.type);
      const [start, end] = offsetsAt(data, i);
      return Array.from({ length: end - start }, (_, k) => [
        read(keys, start + k, key),
        read(mapped, start + k, value),
      ]);
    }
    default:
  }
  throw new IcebergError("unsupported", `columns of Arrow's type ${type.typeId} can't be written`);
}

function offsetsAt({ valueOffsets }: ArrowData, i: number): readonly [start: number, end: number] {
  return [Number(valueOffsets[i]), Number(valueOffsets[i + 1])];
}

function bytesAt({ values }: ArrowData, start: number, end: number): Uint8Array {
  return Uint8Array.from(values.subarray(start, end));
}

/** In the column's unit, if it has a zone as the column has and loses no digits; or else the text that it is refused with. */
function timestampOf(nanos: bigint, hasZone: boolean, into: Type | undefined): bigint | string {
  const unit = into?.kind.endsWith("_ns") === true ? 1n : 1000n;
  if (hasZone === (into?.kind.startsWith("timestamptz") === true) && nanos % unit === 0n) return nanos / unit;
  return `${timestampText(nanos, NANOSECONDS)}${hasZone ? "Z" : ""}`;
}
