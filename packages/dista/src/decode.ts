/** Storable values, back from the text that `encode.ts` describes. */
import { DEPTH_MAX } from "./encode.ts";
import { DistaError } from "./errors.ts";

/** More than `encode` writes: `encodedArray` puts arrays around what it wrote. */
const DECODED_DEPTH_MAX = 2 * DEPTH_MAX;

/** The most milliseconds from 1970 of a Date. */
const DATE_MS_MAX = 8.64e15;

/**
 * The value that `encode` wrote. Objects come back plain, and a Buffer as a Uint8Array.
 *
 * @throws DistaError `not-encoded` on any other text.
 */
export function decode(text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new DistaError("not-encoded", "a stored value isn't JSON", { cause });
  }
  return untagged(json, 0);
}

function untagged(v: unknown, depth: number): unknown {
  if (v === null || typeof v !== "object") return v;
  if (depth > DECODED_DEPTH_MAX) throw notEncoded(`is nested over ${DECODED_DEPTH_MAX} deep`);
  const below = (part: unknown) => untagged(part, depth + 1);
  if (!Array.isArray(v)) return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, below(x)]));
  const [tag, ...rest] = v as unknown[];
  switch (tag) {
    case "a":
      return rest.map(below);
    case "s":
      return new Set(rest.map(below));
    case "m":
      return new Map(rest.map((entry) => entryOf(entry).map(below) as [unknown, unknown]));
    default:
      return leafOf(tag, rest);
  }
}

function entryOf(entry: unknown): unknown[] {
  if (!Array.isArray(entry) || entry.length !== 2) throw notEncoded("has a Map's entry that isn't a key and a value");
  return entry;
}

function leafOf(tag: unknown, rest: readonly unknown[]): unknown {
  const [written] = rest;
  switch (tag) {
    case "b":
      if (rest.length === 1 && typeof written === "string" && /^-?\d+$/.test(written)) return BigInt(written);
      throw notEncoded("has a bigint without its digits");
    case "d":
      if (rest.length === 1 && isDateMs(written)) return new Date(written ?? NaN);
      throw notEncoded("has a Date without its milliseconds");
    case "n":
      if (rest.length === 1 && ["NaN", "-0", "Infinity", "-Infinity"].includes(written as string))
        return Number(written);
      throw notEncoded("has a tagged number that isn't NaN, -0 or infinite");
    case "u":
      if (rest.length === 0) return undefined;
      throw notEncoded("has an undefined with a value");
    case "x":
      if (rest.length === 1 && typeof written === "string") return bytesOf(written);
      throw notEncoded("has bytes that aren't base64");
    default:
      throw notEncoded(
        typeof tag === "string"
          ? `has the unknown tag '${tag.length > 20 ? `${tag.slice(0, 20)}…` : tag}'`
          : "has an array without a tag",
      );
  }
}

/** Null is an invalid Date's. */
function isDateMs(written: unknown): written is number | null {
  return written === null || (Number.isInteger(written) && Math.abs(written as number) <= DATE_MS_MAX);
}

function bytesOf(written: string): Uint8Array {
  const bytes = Buffer.from(written, "base64");
  // Buffer leaves out what isn't base64
  if (bytes.toString("base64") !== written) throw notEncoded("has bytes that aren't base64");
  return new Uint8Array(bytes);
}

function notEncoded(why: string): DistaError {
  return new DistaError("not-encoded", `a stored value ${why}: it isn't what encode wrote`);
}
