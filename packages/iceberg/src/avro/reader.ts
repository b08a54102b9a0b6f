/**
 * The primitives of Avro's binary encoding. Every read is bounded by what is there, so that no count or length of a corrupt file makes it
 * run on or take memory.
 */
import { IcebergError } from "../errors.ts";
import { textOf } from "../values/bytes.ts";

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

  /** Goes back to a position that it was at. */
  seek(position: number): void {
    this.#position = position;
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

  /** Passes over an integer, much faster than reading it. */
  skipLong(): void {
    while (this.#byte() >= 0x80);
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

/** How many items a block has; 0 ends the array or map. */
export function blockCount(reader: AvroReader): number {
  const count = Number(reader.long());
  if (count < 0) reader.length(); // the block's size in bytes
  return Math.abs(count);
}

export function corrupt(why: string): IcebergError {
  return new IcebergError("invalid-manifest", `an Avro file is corrupt: ${why}`);
}
