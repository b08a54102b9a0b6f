/**
 * Storable values as text. The text is JSON; what JSON lacks is an array that begins with a tag, and an array itself is tagged
 * too, so that none can be mistaken for the other:
 *
 *   ["a", …] array   ["b", "12"] bigint   ["d", ms | null] Date   ["m", [key, value], …] Map   ["n", "NaN" | "-0" | "Infinity" | "-Infinity"]
 *   ["s", …] Set     ["u"] undefined      ["x", "base64"] Uint8Array
 */
import { DistaError } from "./errors.ts";

/** Values may be nested this deep. Deeper ones are data, and recursion overflows the stack at some depth above it. */
export const DEPTH_MAX = 500;

/**
 * The most elements, fields, keys and values of all that a value holds; more is data too. A sparse array may claim to have four thousand
 * million, and 26 arrays that each hold the one before twice are 67 million, since what is shared is written each time.
 */
const PARTS_MAX = 10_000_000;

/** The most bytes of one array: more make a text that is longer than a string can be. */
const BYTES_MAX = 256 * 1024 * 1024;

/**
 * A storable value as text.
 *
 * @param what what the value is called in an error: `output`, `argument`.
 * @throws DistaError `not-storable`, with the path to what can't be stored: `outputs must be storable: output.rows[0].get is a function`.
 */
export function encode(value: unknown, what = "output"): string {
  const trail: Trail = { what, steps: [], parts: 0 };
  const json = tagged(value, trail);
  try {
    return JSON.stringify(json);
  } catch (cause) {
    throw unstorable(trail, "is longer as text than a string can be: put data into tables", { cause });
  }
}

/** The text of an array, from the texts of its elements. */
export function encodedArray(elements: readonly string[]): string {
  return elements.length === 0 ? '["a"]' : `["a",${elements.join(",")}]`;
}

/** Where the encoding is. */
interface Trail {
  readonly what: string;
  /** From the whole value to the part being encoded: a field's name, an element's index, or a part of a Map or Set. */
  readonly steps: (string | number | { readonly of: string })[];
  /** How many parts there are so far. */
  parts: number;
}
const KEY = { of: "a key of" };
const VALUE = { of: "a value of" };
const ELEMENT = { of: "an element of" };

function tagged(v: unknown, trail: Trail): unknown {
  switch (typeof v) {
    case "string":
    case "boolean":
      return v;
    case "number":
      return Number.isFinite(v) && !Object.is(v, -0) ? v : ["n", Object.is(v, -0) ? "-0" : String(v)];
    case "bigint":
      return ["b", String(v)];
    case "undefined":
      return ["u"];
    case "object":
      return v === null ? null : taggedObject(v, trail);
    default: // a function or a symbol
      throw unstorable(trail, `is a ${typeof v}`);
  }
}

function taggedObject(v: object, trail: Trail): unknown {
  if (trail.steps.length >= DEPTH_MAX) throw unstorable(trail, `is nested over ${DEPTH_MAX} deep, or in itself`);
  if (Array.isArray(v)) {
    count(v.length, trail);
    const out: unknown[] = ["a"];
    for (let i = 0; i < v.length; i++) out.push(part(v[i], i, trail)); // a hole is undefined
    return out;
  }
  if (v instanceof Uint8Array) return ["x", base64(v, trail)];
  const prototype: unknown = Object.getPrototypeOf(v);
  if (prototype === Object.prototype || prototype === null) {
    const fields = Object.entries(v);
    count(fields.length, trail);
    // fromEntries defines each property, so that one called __proto__ is data like any other
    return Object.fromEntries(fields.map(([k, x]) => [k, part(x, k, trail)]));
  }
  if (prototype === Date.prototype) return ["d", finiteOrNull((v as Date).getTime())];
  if (prototype === Map.prototype) {
    const map = v as Map<unknown, unknown>;
    count(2 * map.size, trail);
    return ["m", ...Array.from(map, ([k, x]) => [part(k, KEY, trail), part(x, VALUE, trail)])];
  }
  if (prototype === Set.prototype) {
    const set = v as Set<unknown>;
    count(set.size, trail);
    return ["s", ...Array.from(set, (x) => part(x, ELEMENT, trail))];
  }
  if (typeof (v as { then?: unknown }).then === "function") throw unstorable(trail, "is a promise: await it");
  throw unstorable(trail, `is a class instance (${v.constructor?.name || "of no name"})`);
}

/** Counts parts before they are encoded, which would take all memory. */
function count(parts: number, trail: Trail): void {
  trail.parts += parts;
  if (trail.parts > PARTS_MAX)
    throw unstorable({ ...trail, steps: [] }, `has over ${PARTS_MAX} parts: put data into tables`);
}

function base64(v: Uint8Array, trail: Trail): string {
  if (v.byteLength > BYTES_MAX)
    throw unstorable(trail, `is ${v.byteLength} bytes, of which ${BYTES_MAX} can be stored: put data into files`);
  return Buffer.from(v.buffer, v.byteOffset, v.byteLength).toString("base64");
}

function part(v: unknown, step: Trail["steps"][number], trail: Trail): unknown {
  trail.steps.push(step);
  const out = tagged(v, trail);
  trail.steps.pop();
  return out;
}

function unstorable({ what, steps }: Trail, why: string, options?: ErrorOptions): DistaError {
  const path = steps.slice(0, 20).reduce<string>((to, step) => {
    if (typeof step === "number") return `${to}[${step}]`;
    return typeof step === "string" ? `${to}.${step}` : `${step.of} ${to}`;
  }, what);
  return new DistaError(
    "not-storable",
    `${what}s must be storable: ${path}${steps.length > 20 ? "…" : ""} ${why}`,
    options,
  );
}

function finiteOrNull(n: number): number | null {
  return Number.isFinite(n) ? n : null;
}
