/** JSON with integers of 64 bits: snapshot ids of other writers are larger than a JavaScript number holds exactly. */
import { IcebergError } from "../errors.ts";
import { marked, parseMarked, withoutMarks } from "./marked-integers.ts";

/** A JSON value. An integer beyond ±2^53 is a bigint, and so is every snapshot id. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** The fields that are snapshot ids: always bigint, so that ids from different writers compare. */
const SNAPSHOT_IDS: ReadonlySet<string> = new Set(["snapshot-id", "parent-snapshot-id", "current-snapshot-id"]);

/** What Node has of the JSON.parse source text access proposal, which TypeScript's library doesn't declare yet. */
interface SourceTextJson {
  parse(text: string, revive: (name: string, value: Json, context: { readonly source?: string }) => Json): Json;
  rawJSON(text: string): unknown;
}
const sourceTextJson = "rawJSON" in JSON ? (JSON as unknown as SourceTextJson) : undefined;
const parse: SourceTextJson["parse"] = sourceTextJson?.parse.bind(JSON) ?? parseMarked;
const raw: SourceTextJson["rawJSON"] = sourceTextJson?.rawJSON.bind(JSON) ?? marked;

/**
 * The JSON value that a text is, with its integers exact.
 *
 * @param what what the text is, for the error: `table metadata`.
 * @throws IcebergError `invalid-metadata` if it isn't JSON.
 */
export function parseJson(text: string, what: string): Json {
  try {
    return parse(text, (name, value, { source }) => {
      if (typeof value !== "number" || source === undefined || !/^-?\d+$/.test(source)) return value;
      return SNAPSHOT_IDS.has(name) || !Number.isSafeInteger(value) ? BigInt(source) : value;
    });
  } catch (cause) {
    throw new IcebergError("invalid-metadata", `${what} isn't JSON: ${(cause as Error).message}`, { cause });
  }
}

/** The text of a JSON value, with its bigints as integers and -0 as -0.0. Fields that are undefined are left out. */
export function stringifyJson(value: unknown): string {
  const json = JSON.stringify(value, (_, v: unknown) => {
    if (typeof v === "bigint") return raw(String(v));
    return Object.is(v, -0) ? raw("-0.0") : v;
  });
  return sourceTextJson === undefined ? withoutMarks(json) : json;
}
