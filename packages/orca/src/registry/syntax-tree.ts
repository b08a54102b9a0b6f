/** What every walk over acorn's syntax trees needs. */
import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
} from "acorn";

export type Func = AnonymousFunctionDeclaration | FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/** The nodes directly below one, in the order of acorn's fields, which is that of the text save in a few node types. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const element of value) if (isNode(element)) children.push(element);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

export function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

export function isFunction(node: AnyNode): node is Func {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** What a chain of members and calls begins with: `pg` of `pg.pool().query(…)`, the function of one called where it is written. */
export function rootOf(node: AnyNode): AnyNode {
  switch (node.type) {
    case "MemberExpression":
      return rootOf(node.object);
    case "CallExpression":
    case "NewExpression":
      return rootOf(node.callee);
    case "TaggedTemplateExpression":
      return rootOf(node.tag);
    case "ChainExpression":
      return rootOf(node.expression);
    case "AwaitExpression":
      return rootOf(node.argument);
    case "SequenceExpression": // (0, fn)(…)
      return rootOf(node.expressions.at(-1)!);
    default:
      return node;
  }
}

/** Calls `visit` with a node and all below it, save below those for which it returns false. */
export function walk(node: AnyNode, visit: (node: AnyNode) => boolean | void): void {
  if (visit(node) === false) return;
  for (const child of childrenOf(node)) walk(child, visit);
}

/** The name of a member or a property, if it is known without running: `a` of `x.a`, `x["a"]`, `{ a: 1 }` and `{ "a": 1 }`. */
export function nameOfKey(key: AnyNode, computed: boolean): string | undefined {
  if (key.type === "Identifier") return computed ? undefined : key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

/** Whether what is called is a function of `Object` or `Reflect`: what those change is what they are given. */
export function isOfObject(callee: AnyNode): boolean {
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    /^(Object|Reflect)$/.test(callee.object.name)
  );
}
