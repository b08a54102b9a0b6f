const PIECE_BYTES = 777_776;

/** So many bytes, in pieces of no round size: 0, 1, 2, … in four bytes each, so that none is at a wrong place unseen. */
export async function* numbered(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += PIECE_BYTES) {
    const numbers = new Uint32Array(PIECE_BYTES / 4);
    for (let i = 0; i < numbers.length; i++) numbers[i] = at / 4 + i;
    yield new Uint8Array(numbers.buffer, 0, Math.min(PIECE_BYTES, count - at));
  }
}

/** The byte at a place of `numbered`'s bytes. */
export function byteAt(place: number): number {
  return ((place >>> 2) >>> (8 * (place & 3))) & 255;
}
