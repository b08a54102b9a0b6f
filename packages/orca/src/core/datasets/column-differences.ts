import { isNested, textOfType, type Column, type Item, type Type } from "./column.ts";

/**
 * How two sets of columns differ, in the parts of a sentence: `day is date in the first and date? in the second`. Columns and fields are
 * known by their names, so their order is no difference, and neither are their docs.
 *
 * @param inOne where the first are, in the sentence: `in the first`.
 */
export function columnDifferences(
  one: readonly Column[],
  other: readonly Column[],
  inOne: string,
  inOther: string,
): readonly string[] {
  const [texts, others] = [textsOf(one), textsOf(other)];
  return [...new Set([...texts.keys(), ...others.keys()])].flatMap((path) => {
    const [text, otherText] = [texts.get(path), others.get(path)];
    if (text === otherText) return [];
    if (text === undefined || otherText === undefined)
      return [`${path} is only ${text === undefined ? inOther : inOne}`];
    return [`${path} is ${text} ${inOne} and ${otherText} ${inOther}`];
  });
}

/** What there is at each path: `place` is `struct`, `place.lat` is `double?`, `tags[]` is what a list holds. */
function textsOf(columns: readonly Column[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const add = (path: string, { type, nullable }: Item) => {
    texts.set(path, `${textOf(type)}${nullable ? "?" : ""}`);
    if (type.type === "struct") for (const field of type.fields) add(`${path}.${field.name}`, field);
    else if (type.type === "list") add(`${path}[]`, type.element);
    else if (type.type === "map") add(`a value of ${path}`, type.value);
  };
  for (const column of columns) add(column.name, column);
  return texts;
}

function textOf(type: Type): string {
  if (type.type === "map") return `map of ${textOfType(type.key)}`;
  return isNested(type) ? type.type : textOfType(type);
}
