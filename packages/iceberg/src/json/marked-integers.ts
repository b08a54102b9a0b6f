/** Exact integers in JSON by texts with a mark: for Node before 21, which has no way to the source of a number. */

/** What no text of a table's begins with. */
const MARK = "\u0000integer:";
const MARKED = /"\\u0000integer:(-?\d+(?:\.0)?)"/g;

/** Texts and numbers, each whole. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** An integer of so many digits that a number may not be exact. */
const LARGE = /^-?\d{16,}$/;

/** As `JSON.parse` with the source of whole numbers. */
export function parseMarked<T>(text: string, revive: (name: string, value: T, context: { source?: string }) => T): T {
  const marked = text.replaceAll(TOKENS, (token) => (LARGE.test(token) ? `"\\u0000integer:${token}"` : token));
  return JSON.parse(marked, (name, value: unknown) => {
    if (typeof value === "string" && value.startsWith(MARK)) {
      const source = value.slice(MARK.length);
      return revive(name, Number(source) as T, { source });
    }
    return revive(name, value as T, Number.isSafeInteger(value) ? { source: String(value) } : {});
  }) as T;
}

/** What becomes this text, in JSON that goes through `withoutMarks`. */
export function marked(text: string): string {
  return MARK + text;
}

export function withoutMarks(json: string): string {
  return json.replaceAll(MARKED, (_, text: string) => text);
}
