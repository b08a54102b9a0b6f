/** Avro's binary encoding of values. */
import { utf8 } from "../values/bytes.ts";
import { type AvroComplex, type AvroSchema, isPairs, type KeyOf } from "./schema.ts";

/** Writes one value. A value that doesn't fit the schema is a mistake of this package's. */
export type Encode = (writer: AvroWriter, value: unknown) => void;

/** Bytes that grow. */
export class AvroWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What is written so far, and starts anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  long(n: number | bigint): void {
    if (typeof n === "number" && n >= -(2 ** 30) && n < 2 ** 30) {
      let zigzag = (n << 1) ^ (n >> 31);
      for (; zigzag > 0x7f; zigzag >>>= 7) this.#byte((zigzag & 0x7f) | 0x80);
      this.#byte(zigzag);
      return;
    }
    const long = BigInt(n);
    let zigzag = BigInt.asUintN(64, (long << 1n) ^ (long >> 63n));
    for (; zigzag > 0x7fn; zigzag >>= 7n) this.#byte(Number(zigzag & 0x7fn) | 0x80);
    this.#byte(Number(zigzag));
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(bytes: Uint8Array): void {
    this.long(bytes.length);
    this.raw(bytes);
  }

  float(n: number): void {
    this.raw(new Uint8Array(new Float32Array([n]).buffer));
  }

  double(n: number): void {
    this.raw(new Uint8Array(new Float64Array([n]).buffer));
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** What writes a value of a schema: the inverse of `decoderOf`, of schemas whose unions are of null and one type. */
export function encoderOf(schema: AvroSchema, keyOf: KeyOf): Encode {
  if (Array.isArray(schema)) return optional((schema as readonly AvroSchema[])[1]!, keyOf);
  if (typeof schema === "string") return primitive(schema);
  const complex = schema as AvroComplex;
  switch (complex.type) {
    case "record":
      return record(complex, keyOf);
    case "array":
      return isPairs(complex.items!) ? pairs(complex, keyOf) : array(complex, keyOf);
    case "fixed":
      return (writer, value) => writer.raw(value as Uint8Array);
    default:
      return encoderOf(complex.type, keyOf);
  }
}

function optional(schema: AvroSchema, keyOf: KeyOf): Encode {
  const encode = encoderOf(schema, keyOf);
  return (writer, value) => {
    const isThere = value !== undefined && value !== null;
    writer.long(isThere ? 1 : 0);
    if (isThere) encode(writer, value);
  };
}

function record({ fields = [] }: AvroComplex, keyOf: KeyOf): Encode {
  const parts = fields.map((field) => ({ key: keyOf(field)!, encode: encoderOf(field.type, keyOf) }));
  return (writer, value) => {
    for (const { key, encode } of parts) encode(writer, (value as Readonly<Record<string, unknown>>)[key]);
  };
}

function array({ items }: AvroComplex, keyOf: KeyOf): Encode {
  const encode = encoderOf(items!, keyOf);
  return (writer, value) => {
    const list = value as readonly unknown[];
    if (list.length > 0) writer.long(list.length);
    for (const item of list) encode(writer, item);
    writer.long(0);
  };
}

function pairs({ items }: AvroComplex, keyOf: KeyOf): Encode {
  const [key, value] = (items as AvroComplex).fields!.map((field) => encoderOf(field.type, keyOf));
  return (writer, given) => {
    const map = given as ReadonlyMap<unknown, unknown>;
    if (map.size > 0) writer.long(map.size);
    for (const [k, v] of map) {
      key!(writer, k);
      value!(writer, v);
    }
    writer.long(0);
  };
}

function primitive(name: string): Encode {
  switch (name) {
    case "boolean":
      return (writer, value) => writer.raw(Uint8Array.of(value === true ? 1 : 0));
    case "int":
    case "long":
      return (writer, value) => writer.long(value as number | bigint);
    case "float":
      return (writer, value) => writer.float(value as number);
    case "double":
      return (writer, value) => writer.double(value as number);
    case "bytes":
      return (writer, value) => writer.bytes(value as Uint8Array);
    case "string":
      return (writer, value) => writer.bytes(utf8(value as string));
    default:
      throw new Error(`no values of Avro's ${name} are written`);
  }
}
