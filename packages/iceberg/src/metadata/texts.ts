import { refused } from "./refused.ts";

/**
 * Passes if properties are texts: metadata with others can't be read again.
 *
 * @param whose in the sentence: `the table's property`.
 * @throws IcebergError `invalid-change`, with the property.
 */
export function checkTexts(properties: Readonly<Record<string, unknown>>, whose: string): void {
  if (typeof properties !== "object" || properties === null)
    throw refused(`${whose.replace(/property$/, "properties")} are ${String(properties)}, not an object of texts`);
  for (const [name, value] of Object.entries(properties))
    if (typeof value !== "string")
      throw refused(
        `${whose} ${name} is ${String(value)}, which isn't a text: write it as one, such as "${String(value)}"`,
      );
}
