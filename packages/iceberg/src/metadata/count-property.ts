import { IcebergError } from "../errors.ts";

/** A table property that is a whole number. @throws IcebergError `invalid-metadata` if it is none, or less than `least`. */
export function countProperty(
  properties: Readonly<Record<string, string>>,
  name: string,
  otherwise: number,
  least: 0 | 1,
): number {
  const text = properties[name];
  if (text === undefined) return otherwise;
  const n = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(n) || n < least)
    throw new IcebergError(
      "invalid-metadata",
      `the table's ${name} is ${text}, which isn't a number of ${least} or more`,
    );
  return n;
}
