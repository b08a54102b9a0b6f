/**
 * Storable values as text, and back. The text is JSON; what JSON lacks is an array that begins with a tag, and an array itself is tagged
 * too, so that none can be mistaken for the other:
 *
 *   ["a", …] array   ["b", "12"] bigint   ["d", ms | null] Date   ["m", [key, value], …] Map   ["n", "NaN" | "-0" | "Infinity" | "-Infinity"]
 *   ["s", …] Set     ["u"] undefined      ["x", "base64"] Uint8Array
 */
import { DistaError } from "./errors.ts";

/** Values may be nested this deep. Deeper ones are data, and JSON itself overflows the stack at some depth above it. */
const DEPTH_MAX = 500;

/** More is data too; and a sparse array may claim to have four thousand million. */
const ELEMENTS_MAX = 10_000_000;

/**
 * A storable value as text.
 *
 * @param what what the value is called in an error: `output`, `argument`.
 * @throws DistaError `not-storable`, with the path to what can't be stored: `outputs must be storable: output.rows[0].get is a function`.
 */
export function encode(value: unknown, what = "output"): string {
  return JSON.stringify(tagged(value, { what, steps: [] }));
}

/** The text of an array, from the texts of its elements. */
export function encodedArray(elements: readonly string[]): string {
  return elements.length === 0 ? '["a"]' : `["a",${elements.join(",")}]`;
}

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
  return untagged(json);
}

/** The way from the whole value to the part being encoded: a field's name, an element's index, or a part of a Map or Set. */
interface Trail {
  readonly what: string;
  readonly steps: (string | number | { readonly of: string })[];
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
  const prototype: unknown = Object.getPrototypeOf(v);
  if (Array.isArray(v) && v.length > ELEMENTS_MAX)
    throw unstorable(
      trail,
      `is an array of ${v.length} elements, of which ${ELEMENTS_MAX} can be stored: put data into tables`,
    );
  if (Array.isArray(v)) return ["a", ...Array.from(v, (x, i) => part(x, i, trail))];
  if (prototype === Object.prototype || prototype === null) {
    // fromEntries defines each property, so that one called __proto__ is data like any other
    return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, part(x, k, trail)]));
  }
  if (v instanceof Uint8Array) return ["x", Buffer.from(v.buffer, v.byteOffset, v.byteLength).toString("base64")];
  if (prototype === Date.prototype) return ["d", finiteOrNull((v as Date).getTime())];
  if (prototype === Map.prototype)
    return ["m", ...Array.from(v as Map<unknown, unknown>, ([k, x]) => [part(k, KEY, trail), part(x, VALUE, trail)])];
  if (prototype === Set.prototype) return ["s", ...Array.from(v as Set<unknown>, (x) => part(x, ELEMENT, trail))];
  if (typeof (v as { then?: unknown }).then === "function") throw unstorable(trail, "is a promise: await it");
  throw unstorable(trail, `is a class instance (${v.constructor?.name || "of no name"})`);
}

function part(v: unknown, step: Trail["steps"][number], trail: Trail): unknown {
  trail.steps.push(step);
  const out = tagged(v, trail);
  trail.steps.pop();
  return out;
}

function unstorable({ what, steps }: Trail, why: string): DistaError {
  const path = steps.slice(0, 20).reduce<string>((to, step) => {
    if (typeof step === "number") return `${to}[${step}]`;
    return typeof step === "string" ? `${to}.${step}` : `${step.of} ${to}`;
  }, what);
  return new DistaError("not-storable", `${what}s must be storable: ${path}${steps.length > 20 ? "…" : ""} ${why}`);
}

function finiteOrNull(n: number): number | null {
  return Number.isFinite(n) ? n : null;
}

function untagged(v: unknown): unknown {
  if (v === null || typeof v !== "object") return v;
  if (!Array.isArray(v)) return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, untagged(x)]));
  const rest = v.slice(1);
  switch (v[0]) {
    case "a":
      return rest.map(untagged);
    case "b":
      return BigInt(rest[0] as string);
    case "d":
      return new Date((rest[0] as number | null) ?? NaN);
    case "m":
      return new Map(rest.map((entry) => [untagged((entry as unknown[])[0]), untagged((entry as unknown[])[1])]));
    case "n":
      return Number(rest[0]);
    case "s":
      return new Set(rest.map(untagged));
    case "u":
      return undefined;
    case "x":
      return new Uint8Array(Buffer.from(rest[0] as string, "base64"));
    default:
      throw new DistaError("not-encoded", `a stored value has the unknown tag ${JSON.stringify(v[0])}`);
  }
}
