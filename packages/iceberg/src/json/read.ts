/** Reading JSON whose form isn't known to be right: each function gives the value or says, in a sentence, where it is wrong. */
import { IcebergError } from "../errors.ts";
import { stringifyJson, type Json, type JsonObject } from "./json.ts";

/** A JSON value, and where it is in the whole: `snapshots[3].snapshot-id`. */
export interface Place {
  readonly json: Json | undefined;
  readonly path: string;
}

/** The field `name` of an object. */
export function at(object: Place, name: string): Place {
  return { json: asObject(object)[name], path: object.path === "" ? name : `${object.path}.${name}` };
}

/** What `read` makes of a field, or undefined where the field is left out or null. */
export function optional<T>(place: Place, read: (place: Place) => T): T | undefined {
  return place.json === undefined || place.json === null ? undefined : read(place);
}

export function asObject(place: Place): JsonObject {
  if (!isObject(place.json)) throw unexpected(place, "an object");
  return place.json;
}

/** What `read` makes of each element of an array. */
export function asArray<T>(place: Place, read: (place: Place) => T): readonly T[] {
  if (!Array.isArray(place.json)) throw unexpected(place, "an array");
  return (place.json as readonly Json[]).map((json, i) => read({ json, path: `${place.path}[${i}]` }));
}

/** What `read` makes of each value of an object that is a map, by its key. */
export function asMap<T>(place: Place, read: (place: Place) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.keys(asObject(place)).map((name) => [name, read(at(place, name))]));
}

export function asString(place: Place): string {
  if (typeof place.json !== "string") throw unexpected(place, "a text");
  return place.json;
}

export function asBoolean(place: Place): boolean {
  if (typeof place.json !== "boolean") throw unexpected(place, "true or false");
  return place.json;
}

/** An integer that a number holds exactly. */
export function asInteger(place: Place): number {
  if (!Number.isSafeInteger(place.json)) throw unexpected(place, "an integer");
  return place.json as number;
}

/** An integer of 64 bits. */
export function asLong(place: Place): bigint {
  const { json } = place;
  if (typeof json === "bigint" && BigInt.asIntN(64, json) === json) return json;
  return BigInt(asInteger(place));
}

/** An integer of 64 bits, as a number where that holds it exactly: ages may be the longest long, for never. */
export function asNumberOrLong(place: Place): number | bigint {
  return typeof place.json === "bigint" ? asLong(place) : asInteger(place);
}

/** One of some words. */
export function asWord<const T extends string>(place: Place, words: readonly T[]): T {
  const word = words.find((w) => w === place.json);
  if (word === undefined) throw unexpected(place, words.map((w) => `"${w}"`).join(" or "));
  return word;
}

export function unexpected({ json, path }: Place, expected: string): IcebergError {
  const where = path === "" ? "the metadata" : path;
  if (json === undefined) return new IcebergError("invalid-metadata", `${where} is missing: ${expected} was expected`);
  const text = stringifyJson(json);
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new IcebergError("invalid-metadata", `${where} is ${shown}, where ${expected} was expected`);
}

export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
