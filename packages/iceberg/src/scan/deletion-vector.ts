/** Deletion vectors: positions of deleted rows, as a blob `deletion-vector-v1` of a Puffin file (Puffin specification, "Blob types"). */
import { crc32 } from "node:zlib";
import { IcebergError } from "../errors.ts";

const MAGIC = 0x64_39_d3_d1;
/** Cookies of Roaring's portable format: with runs, and without. */
const [WITH_RUNS, WITHOUT_RUNS] = [12_347, 12_346] as const;
/** Containers of up to so many values are arrays, and those of more bitmaps of 2^16 bits. */
const ARRAY_MAX = 4096;
const BITMAP_BYTES = 8192;
/** With runs, files of fewer containers don't say where each is. */
const OFFSETS_FROM = 4;

/**
 * The positions that a vector holds, ascending, container by container.
 *
 * @param what names it in errors.
 * @throws IcebergError `invalid-file` if it is corrupt.
 */
export function* deletedPositions(blob: Uint8Array, what: string): Generator<readonly bigint[], void, void> {
  try {
    const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    const length = view.getUint32(0);
    if (length + 8 !== blob.length) throw corrupt(what, `it has ${blob.length} bytes and says ${length + 8}`);
    if (view.getUint32(4, true) !== MAGIC) throw corrupt(what, "its first bytes are others");
    if (crc32(blob.subarray(4, 4 + length)) !== view.getUint32(4 + length))
      throw corrupt(what, "its checksum is wrong");
    const reader = new Reader(view, 8);
    const bitmaps = reader.uint64();
    for (let i = 0n; i < bitmaps; i++) yield* bitmapPositions(reader, BigInt(reader.uint32()) << 32n, what);
  } catch (cause) {
    if (cause instanceof RangeError) throw corrupt(what, "it ends early", cause);
    throw cause;
  }
}

function* bitmapPositions(reader: Reader, base: bigint, what: string): Generator<readonly bigint[], void, void> {
  const cookie = reader.uint32();
  const hasRuns = (cookie & 0xffff) === WITH_RUNS;
  if (!hasRuns && cookie !== WITHOUT_RUNS) throw corrupt(what, "a bitmap in it isn't one of Roaring");
  const count = hasRuns ? (cookie >>> 16) + 1 : reader.uint32();
  const runFlags = hasRuns ? reader.bytes(Math.ceil(count / 8)) : undefined;
  const containers = Array.from({ length: reader.checked(count) }, () => ({
    key: reader.uint16(),
    size: reader.uint16() + 1,
  }));
  if (!hasRuns || count >= OFFSETS_FROM) reader.bytes(4 * count);
  for (const [i, { key, size }] of containers.entries()) {
    const start = base + (BigInt(key) << 16n);
    const isRun = ((runFlags?.[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
    yield (isRun ? runValues(reader) : size <= ARRAY_MAX ? arrayValues(reader, size) : bitmapValues(reader)).map(
      (value) => start + BigInt(value),
    );
  }
}

function runValues(reader: Reader): readonly number[] {
  const values: number[] = [];
  for (let runs = reader.uint16(); runs > 0; runs--) {
    const first = reader.uint16();
    const last = first + reader.uint16();
    for (let value = first; value <= last; value++) values.push(value);
  }
  return values;
}

function arrayValues(reader: Reader, size: number): readonly number[] {
  return Array.from({ length: size }, () => reader.uint16());
}

function bitmapValues(reader: Reader): readonly number[] {
  const values: number[] = [];
  for (const [i, byte] of reader.bytes(BITMAP_BYTES).entries())
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) values.push(i * 8 + bit);
  return values;
}

/** Little-endian integers, one after the other; RangeError beyond the end. */
class Reader {
  readonly #view: DataView;
  #position: number;

  constructor(view: DataView, position: number) {
    this.#view = view;
    this.#position = position;
  }

  uint16(): number {
    return this.#view.getUint16(this.#after(2), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#after(4), true);
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.#after(8), true);
  }

  bytes(length: number): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.#view;
    if (this.#position + length > byteLength) throw new RangeError("beyond the end");
    return new Uint8Array(buffer, byteOffset + this.#after(length), length);
  }

  /** A count of things that take four bytes each, if there is room for them. */
  checked(count: number): number {
    if (count * 4 > this.#view.byteLength - this.#position) throw new RangeError("beyond the end");
    return count;
  }

  #after(length: number): number {
    this.#position += length;
    return this.#position - length;
  }
}

function corrupt(what: string, why: string, cause?: unknown): IcebergError {
  return new IcebergError("invalid-file", `deletion vector ${what} is corrupt: ${why}`, { cause });
}
