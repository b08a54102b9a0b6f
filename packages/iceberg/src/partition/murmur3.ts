/** The 32-bit hash of buckets: Murmur3, its x86 variant, with the seed 0 (Appendix B). */

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

/** The hash as a signed int. */
export function murmur3(bytes: Uint8Array): number {
  const whole = bytes.length & ~3;
  let hash = 0;
  for (let i = 0; i < whole; i += 4) {
    const block = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash ^= scrambled(block);
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | bytes[i]!;
  hash ^= scrambled(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scrambled(block: number): number {
  return Math.imul(rotated(Math.imul(block, C1), 15), C2);
}

function rotated(n: number, bits: number): number {
  return (n << bits) | (n >>> (32 - bits));
}
