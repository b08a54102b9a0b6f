/**
 * Values of Avro's binary encoding. Every read is bounded by what is there, so that no count or length of a corrupt file makes it run
 * on or take memory.
 */
import { IcebergError } from "../errors.ts";
import { textOf } from "../values/bytes.ts";
import { type AvroComplex, type AvroField, type AvroSchema, isPairs, type KeyOf } from "./schema.ts";

/** Reads one value. Longs are numbers where those hold them exactly, else bigint; bytes and fixed are views of the input. */
export type Decode = (reader: AvroReader) => unknown;

/** The bytes that are decoded, and how far. */
export class AvroReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength); // zlib's is a Buffer, and so were all parts
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.#position;
  }

  get remaining(): number {
    return this.#bytes.length - this.#position;
  }

  /** An integer in zigzag encoding, of at most 10 bytes. */
  long(): number | bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (low >>> 1) ^ -(low & 1);
    }
    let n = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      n |= BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      const long = BigInt.asIntN(64, (n >> 1n) ^ -(n & 1n));
      const number = Number(long);
      return Number.isSafeInteger(number) ? number : long;
    }
    throw corrupt("an integer is longer than 10 bytes");
  }

  /** A length or index, which is never negative. */
  length(): number {
    const n = this.long();
    if (typeof n === "bigint" || n < 0) throw corrupt(`a length is ${n}`);
    return n;
  }

  bytes(length: number): Uint8Array {
    if (length > this.remaining) throw corrupt(`${length} bytes were announced and ${this.remaining} are left`);
    this.#position += length;
    return this.#bytes.subarray(this.#position - length, this.#position);
  }

  text(): string {
    const text = textOf(this.bytes(this.length()));
    if (text === undefined) throw corrupt("a text isn't UTF-8");
    return text;
  }

  float(): number {
    return this.#view.getFloat32(this.#skip(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  boolean(): boolean {
    const byte = this.#byte();
    if (byte > 1) throw corrupt(`a boolean is ${byte}`);
    return byte === 1;
  }

  #byte(): number {
    const byte = this.#bytes[this.#position++];
    if (byte === undefined) throw corrupt("it ends within a value");
    return byte;
  }

  #skip(length: number): number {
    const { byteOffset } = this.bytes(length);
    return byteOffset - this.#bytes.byteOffset;
  }
}

/** Schemas may be nested this deep. */
const DEPTH_MAX = 50;

/**
 * What reads a value of a schema. Records become objects with the names that `keyOf` gives, arrays of `key` and `value` records
 * become Maps, and a union's value is that of its branch.
 *
 * @throws IcebergError `invalid-manifest` if the schema isn't valid.
 */
export function decoderOf(schema: AvroSchema, keyOf: KeyOf): Decode {
  return new Compiler(keyOf).decoder(schema, 0);
}

class Compiler {
  readonly #keyOf: KeyOf;
  readonly #named = new Map<string, Decode>();

  constructor(keyOf: KeyOf) {
    this.#keyOf = keyOf;
  }

  decoder(schema: AvroSchema | undefined, depth: number): Decode {
    if (depth > DEPTH_MAX) throw corrupt(`its schema is nested over ${DEPTH_MAX} deep`);
    if (Array.isArray(schema)) return this.#union(schema as readonly AvroSchema[], depth);
    if (typeof schema === "string") return primitive(schema) ?? this.#byName(schema);
    if (typeof schema !== "object" || schema === null) throw corrupt("its schema isn't one of Avro");
    const complex = schema as AvroComplex;
    switch (complex.type) {
      case "record":
        return this.#record(complex, depth);
      case "array":
        return isPairs(complex.items!) ? this.#pairs(complex, depth) : this.#array(complex, depth);
      case "map": {
        const value = this.decoder(complex.values, depth + 1);
        return (reader) => new Map(blocks(reader, () => [reader.text(), value(reader)] as const));
      }
      case "fixed": {
        const { size } = complex;
        if (!Number.isSafeInteger(size) || size! < 0) throw corrupt(`a fixed type of its schema has the size ${size}`);
        return this.#define(complex, (reader) => reader.bytes(size!));
      }
      case "enum": {
        const { symbols } = complex;
        return this.#define(complex, (reader) => symbols?.[reader.length()]);
      }
      default:
        return this.decoder(complex.type, depth + 1);
    }
  }

  #record(schema: AvroComplex, depth: number): Decode {
    if (!Array.isArray(schema.fields)) throw corrupt("a record of its schema has no fields");
    const fields = (schema.fields as readonly (AvroField | null)[]).map((field) => {
      if (typeof field?.name !== "string") throw corrupt("a field of its schema has no name");
      return { key: this.#keyOf(field), decode: this.decoder(field.type, depth + 1) };
    });
    // the name is known from here on: a record within itself could be read without end
    return this.#define(schema, (reader) => {
      const record: Record<string, unknown> = {};
      for (const { key, decode } of fields) {
        const value = decode(reader);
        if (key !== undefined) record[key] = value;
      }
      return record;
    });
  }

  #array(schema: AvroComplex, depth: number): Decode {
    const item = this.decoder(schema.items, depth + 1);
    return (reader) => blocks(reader, () => item(reader));
  }

  #pairs(schema: AvroComplex, depth: number): Decode {
    const [key, value] = ((schema.items as AvroComplex).fields ?? []).map((f) => this.decoder(f.type, depth + 2));
    return (reader) => new Map(blocks(reader, () => [key!(reader), value!(reader)] as const));
  }

  #union(branches: readonly AvroSchema[], depth: number): Decode {
    const decoders = branches.map((branch) => this.decoder(branch, depth + 1));
    return (reader) => {
      const branch = reader.length();
      const decode = decoders[branch];
      if (decode === undefined) throw corrupt(`a union has no branch ${branch}`);
      return decode(reader);
    };
  }

  #define(schema: AvroComplex, decode: Decode): Decode {
    if (schema.name !== undefined) this.#named.set(schema.name, decode);
    return decode;
  }

  #byName(name: string): Decode {
    const decode = this.#named.get(name);
    if (decode === undefined) throw corrupt(`its schema has no type ${name}`);
    return decode;
  }
}

function primitive(name: string): Decode | undefined {
  switch (name) {
    case "null":
      return () => null;
    case "boolean":
      return (reader) => reader.boolean();
    case "int":
    case "long":
      return (reader) => reader.long();
    case "float":
      return (reader) => reader.float();
    case "double":
      return (reader) => reader.double();
    case "bytes":
      return (reader) => reader.bytes(reader.length());
    case "string":
      return (reader) => reader.text();
    default:
      return undefined;
  }
}

/** The items of an array or map, which come in blocks until an empty one. */
function blocks<T>(reader: AvroReader, item: () => T): T[] {
  const items: T[] = [];
  for (;;) {
    let count = Number(reader.long());
    if (count === 0) return items;
    if (count < 0) {
      count = -count;
      reader.length(); // the block's size, for who would skip it
    }
    for (let i = 0; i < count; i++) {
      const before = reader.position;
      items.push(item());
      if (reader.position === before) throw corrupt("an array has items without content");
    }
  }
}

export function corrupt(why: string): IcebergError {
  return new IcebergError("invalid-manifest", `an Avro file is corrupt: ${why}`);
}
