/** Functions that are called without a call being written: getters, conversions to text, iterators, `then`. */
import type { AnyNode } from "acorn";
import type { IsPure } from "./purity.ts";
import { isFunction, nameOfKey, walk } from "./syntax-tree.ts";

/** Those that the language calls by a name that is a text. */
const CALLED_BY_NAME = /^(toString|valueOf|toJSON|then)$/;

/** Whether a node has such a function that may change something, in an object or a class. Symbols are keys that aren't known here. */
export function hasUnseenCalls(root: AnyNode, isPure: IsPure): boolean {
  let found = false;
  walk(root, (node) => {
    if (found) return false;
    if (node.type !== "Property" && node.type !== "MethodDefinition" && node.type !== "PropertyDefinition") return true;
    const { value } = node;
    if (!value || !isFunction(value)) return true;
    const name = nameOfKey(node.key, node.computed);
    const isAccessor = node.type !== "PropertyDefinition" && (node.kind === "get" || node.kind === "set");
    if (isAccessor || name === undefined || CALLED_BY_NAME.test(name)) found ||= !isPure(value.body);
    return true;
  });
  return found;
}
