/** Bytes that arrive in chunks, taken in the amounts that are needed. */
import { corrupt } from "./reader.ts";

export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array> | undefined;
  #buffer: Uint8Array;
  #position = 0;

  constructor(from: Uint8Array | AsyncIterable<Uint8Array>) {
    this.#buffer = from instanceof Uint8Array ? from : new Uint8Array();
    this.#chunks = from instanceof Uint8Array ? undefined : from[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.#fill(1));
  }

  /**
   * The next bytes.
   *
   * @throws IcebergError `invalid-manifest` if there are fewer.
   */
  async bytes(length: number): Promise<Uint8Array> {
    if (length < 0 || !(await this.#fill(length))) throw corrupt("it is cut off, or a length in it is wrong");
    this.#position += length;
    return this.#buffer.subarray(this.#position - length, this.#position);
  }

  /** An integer in zigzag encoding: counts and lengths. */
  async long(): Promise<number> {
    let n = 0;
    for (let shift = 0; shift < 49; shift += 7) {
      const [byte] = (await this.bytes(1)) as unknown as readonly [number];
      n += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
    }
    throw corrupt("a length in it is wrong");
  }

  /** Whether so many bytes are there, after waiting for those that come. */
  async #fill(length: number): Promise<boolean> {
    const parts = [this.#buffer.subarray(this.#position)];
    let there = parts[0]!.length;
    if (there >= length) return true;
    while (there < length) {
      const next = await this.#chunks?.next();
      if (next === undefined || next.done === true) break;
      parts.push(next.value);
      there += next.value.length;
    }
    this.#buffer = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    this.#position = 0;
    return there >= length;
  }
}
