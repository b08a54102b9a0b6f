/** Bytes as other things: hexadecimal, UUIDs, texts and integers. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes, or undefined if they aren't: a bound that was cut within a character would get another place in the order. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** The bytes of a hexadecimal text, or undefined if it isn't one. */
export function parseHex(text: string): Uint8Array | undefined {
  return text.length % 2 === 0 && /^[0-9a-f]*$/i.test(text) ? new Uint8Array(Buffer.from(text, "hex")) : undefined;
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function uuidText(bytes: Uint8Array): string {
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export function uuidBytes(uuid: string): Uint8Array {
  return parseHex(uuid.replaceAll("-", ""))!;
}

/** An integer as two's complement, big-endian: in as few bytes as hold it, or extended to `length`. */
export function integerBytes(n: bigint, length = bytesNeeded(n)): Uint8Array {
  return parseHex(
    BigInt.asUintN(length * 8, n)
      .toString(16)
      .padStart(length * 2, "0"),
  )!;
}

/** The integer of two's complement, big-endian bytes; 0 of none. */
export function integerOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex(bytes)}`));
}

/** How many bytes hold an integer with its sign. */
function bytesNeeded(n: bigint): number {
  const bits = (n < 0n ? ~n : n).toString(2).length + (n === 0n || n === -1n ? 0 : 1);
  return Math.ceil(bits / 8);
}
