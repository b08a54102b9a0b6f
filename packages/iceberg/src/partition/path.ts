/** The folder of a partition's files, as people and other engines know it: `day=2017-11-16/id_bucket_16=3`. */
import { dateText, yearText } from "../values/calendar.ts";
import { valueText } from "../values/text.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { TypedPartitionField } from "./spec.ts";

/**
 * The path of a partition, its names and values percent-encoded, each folder's name cut after FOLDER_LENGTH characters.
 * Readers don't parse it: the values are in the manifest.
 */
export function partitionPath(
  fields: readonly TypedPartitionField[],
  values: readonly (PrimitiveValue | null)[],
): string {
  return fields
    .map((field, i) =>
      cut(`${encodeURIComponent(field.name)}=${encodeURIComponent(partitionText(field, values[i] ?? null))}`),
    )
    .join("/");
}

/** What is left of a folder's name. Names have 255 bytes at most, and keys of S3 1,024. */
const FOLDER_LENGTH = 128;

/** The start of an encoded name that is itself well encoded: no escape and no character's UTF-8 is cut in two. */
function cut(encoded: string): string {
  if (encoded.length <= FOLDER_LENGTH) return encoded;
  for (let length = FOLDER_LENGTH; ; length--)
    try {
      const start = encoded.slice(0, length);
      decodeURIComponent(start);
      return start;
    } catch {
      // cut within a character, which has at most 12 characters of escapes
    }
}

/** A partition's value as people read it: `2017`, `2017-11`, `2017-11-16`, `2017-11-16-22` for years to hours; `null`. */
export function partitionText({ transform, type }: TypedPartitionField, value: PrimitiveValue | null): string {
  if (value === null) return "null";
  switch (transform.kind) {
    case "year":
      return yearText(1970 + (value as number));
    case "month": {
      const years = Math.floor((value as number) / 12);
      return `${yearText(1970 + years)}-${pad((value as number) - years * 12 + 1)}`;
    }
    case "hour": {
      const days = Math.floor((value as number) / 24);
      return `${dateText(days)}-${pad((value as number) - days * 24)}`;
    }
    default:
      return valueText(type, value);
  }
}

function pad(n: number): string {
  return String(n).padStart(2, "0");
}
