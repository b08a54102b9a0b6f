/** The names of tables and namespaces: dotted texts, `weather.rain`. */
import { IcebergError } from "../errors.ts";

export interface TableName {
  readonly namespace: readonly string[];
  readonly name: string;
  /** As it is written: `weather.rain`. */
  readonly text: string;
}

const PART_BYTES_MAX = 255;

/**
 * The parts of a table's name: at least one namespace, and the table's own.
 * @throws IcebergError `invalid-name`
 */
export function parseTableName(text: string): TableName {
  const parts = partsOf(text, "table");
  if (parts.length < 2)
    throw invalid(text, "table", "it has no namespace: write the namespace's name, a dot and the table's");
  return { namespace: parts.slice(0, -1), name: parts.at(-1)!, text };
}

/**
 * The parts of a namespace's name.
 * @throws IcebergError `invalid-name`
 */
export function parseNamespace(text: string): readonly string[] {
  return partsOf(text, "namespace");
}

/** Whether a text can be a part of a name: what a folder or a catalog has under other names can't be told apart by dots. */
export function isNamePart(text: string): boolean {
  return faultOf(text) === undefined;
}

function partsOf(text: string, what: "table" | "namespace"): readonly string[] {
  if (typeof text !== "string" || text === "") throw invalid(String(text), what, "it is empty");
  const parts = text.split(".");
  for (const part of parts) {
    const fault = faultOf(part);
    if (fault !== undefined) throw invalid(text, what, fault);
  }
  return parts;
}

function faultOf(part: string): string | undefined {
  if (part === "") return "a part of it is empty";
  if (!part.isWellFormed()) return "it has half of a surrogate pair in it";
  if (/[\p{Cc}/\\.]/u.test(part)) return "no part of it has slashes, dots or control characters";
  if (part.trim() !== part) return "no part of it begins or ends with a space";
  if (Buffer.byteLength(part) > PART_BYTES_MAX) return `a part of it has more than ${PART_BYTES_MAX} bytes`;
  return undefined;
}

function invalid(text: string, what: string, why: string): IcebergError {
  const shown = JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  return new IcebergError("invalid-name", `${shown} can't be a ${what}'s name: ${why}`);
}
