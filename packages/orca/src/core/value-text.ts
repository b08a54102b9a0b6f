/** A value as it is named in a sentence: texts and numbers as they are, other things by what they are. */
export function textOfValue(v: unknown): string {
  switch (typeof v) {
    case "string":
      return `the text '${v.length > 200 ? `${v.slice(0, 200)}…` : v}'`;
    case "object":
      return v === null ? "null" : textOfObject(v);
    case "function":
      return `a function${v.name === "" ? "" : ` (${v.name})`}`;
    case "symbol":
      return "a symbol";
    default:
      return String(v);
  }
}

function textOfObject(v: object): string {
  if (Array.isArray(v)) return "an array";
  const { kind, name } = v as { readonly kind?: unknown; readonly name?: unknown };
  if (typeof kind === "string" && typeof name === "string") return `${kind} '${name}'`;
  const fields = Object.keys(v).slice(0, 5);
  return fields.length === 0 ? "an object" : `an object (${fields.join(", ")})`;
}
