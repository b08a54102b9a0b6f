import { OrcaError } from "../errors.ts";
import type { key } from "./partition-key.ts";

/** A keyed partition's name: 1 to 128 letters, digits and `._:-`, but not `.` or `..`, so that it can stand in a path, a list and a URL. */
export type Name = string & { readonly [key]: "Name" };

/** Makes names and asks about them. */
export interface NameCompanion {
  /** `Name("log-0001")`. @throws OrcaError `invalid-key` on a text that isn't a name. */
  (text: string): Name;
  is(value: unknown): value is Name;
}

const NAME = /^[A-Za-z0-9._:-]{1,128}$/;

function isName(value: unknown): value is Name {
  return typeof value === "string" && NAME.test(value) && value !== "." && value !== "..";
}

function nameFrom(text: string): Name {
  if (!isName(text)) {
    const shown = text.length > 140 ? `${text.slice(0, 140)}…` : text;
    const rule = NAME.test(text) ? "in a path it means a folder" : "use 1 to 128 letters, digits and ._:-";
    throw new OrcaError("invalid-key", `'${shown}' isn't a name: ${rule}`);
  }
  return text;
}

export const Name: NameCompanion = Object.assign(nameFrom, { is: isName });
