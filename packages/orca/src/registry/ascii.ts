/** Text of ASCII alone, which is the same in every encoding: Node has it as a string, and its own cache of it, sooner than other text. */

/** With all else escaped, as strings in JavaScript and JSON have it. */
export function asciiOf(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
