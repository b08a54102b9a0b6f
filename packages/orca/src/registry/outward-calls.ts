/** What code does to things that aren't its own: to globals, and to packages. */
import type { AnyNode } from "acorn";
import type { Code } from "./code.ts";
import { givesAway } from "./given-away.ts";
import { isOfOrca } from "./orca-calls.ts";
import type { IsPure } from "./purity.ts";
import { isOfObject, rootOf, walk } from "./syntax-tree.ts";
import { targetsIn, type Variable } from "./variables.ts";

export interface Outward {
  /**
   * It may change what isn't the module's: it has a call for its effect, an assignment to a global's member, or puts a global or something of
   * a package's where it may be changed.
   */
  readonly statements: boolean;
  /** It calls something that isn't the module's, wherever that stands. */
  readonly calls: boolean;
}

/** @param isLeft which nodes are left out, with all below them. */
export function outwardOf(
  root: AnyNode,
  code: Code,
  isPure: IsPure,
  isLeft: (node: AnyNode) => boolean = () => false,
): Outward {
  let statements = false;
  let calls = false;
  walk(root, (node) => {
    if (isLeft(node)) return false;
    statements ||= givesAway(node, code);
    if (node.type === "ExpressionStatement") statements ||= goesOut(node.expression);
    else if (node.type === "AssignmentExpression" || node.type === "UpdateExpression") statements ||= goesOut(node);
    else if (/^(Call|New|TaggedTemplate|Import)Expression$/.test(node.type)) calls ||= goesOut(node);
    return true;
  });
  return { statements, calls: calls || statements };

  function goesOut(node: AnyNode): boolean {
    switch (node.type) {
      case "AwaitExpression":
        return goesOut(node.argument);
      case "UnaryExpression":
        return node.operator === "delete" ? isOfOutside(node.argument) : goesOut(node.argument);
      case "SequenceExpression":
        return node.expressions.some(goesOut);
      case "LogicalExpression":
        return goesOut(node.left) || goesOut(node.right);
      case "ConditionalExpression":
        return goesOut(node.consequent) || goesOut(node.alternate);
      case "ChainExpression":
        return goesOut(node.expression);
      case "YieldExpression":
        return node.argument ? goesOut(node.argument) : false;
      case "AssignmentExpression":
        return targetsIn(node.left).some(isOfOutside);
      case "UpdateExpression":
        return isOfOutside(node.argument);
      case "ImportExpression":
        return true;
      case "CallExpression": {
        if (isPure(node)) return false;
        const [given] = node.arguments;
        if (isOfObject(node.callee) && given !== undefined) return isOutside(rootOf(given));
        const root = rootOf(node);
        // a method of what Orca returned changes that at most, and what its callbacks do is looked at for itself
        return isOutside(root) && (isOfOrca(node.callee, code) || !isOfOrca(root, code));
      }
      case "NewExpression":
      case "TaggedTemplateExpression":
        return !isPure(node) && isOutside(rootOf(node));
      default:
        return false;
    }
  }

  /** Whether what is assigned is a global, or a member of what isn't the module's. A variable of its own can be assigned. */
  function isOfOutside(target: AnyNode): boolean {
    return target.type === "Identifier" ? code.variables.of(target) === undefined : isOutside(rootOf(target));
  }

  /** Whether something is a global, a package's, or `require` of one; or a variable that stands for one. */
  function isOutside(root: AnyNode, asked = new Set<Variable>()): boolean {
    if (root.type !== "Identifier") return root.type === "ImportExpression" || root.type === "MetaProperty";
    const variable = code.variables.of(root);
    if (variable === undefined) return true;
    if (variable.isTop && code.imports.has(root.name)) return true;
    if (variable.isTop && code.runtime.has(root.name)) return root.name === "__require";
    if (asked.has(variable)) return false;
    asked.add(variable);
    return code.variables.valuesOf(variable).some((value) => aliased(value).some((v) => isOutside(v, asked)));
  }
}

/** What a value may be another name for: `process` for `process.env`. What a call gives is taken to be new. */
function aliased(value: AnyNode): readonly AnyNode[] {
  switch (value.type) {
    case "Identifier":
      return [value];
    case "MemberExpression":
      return aliased(value.object);
    case "LogicalExpression":
      return [...aliased(value.left), ...aliased(value.right)];
    case "ConditionalExpression":
      return [...aliased(value.consequent), ...aliased(value.alternate)];
    case "AssignmentExpression":
      return aliased(value.right);
    case "ChainExpression":
      return aliased(value.expression);
    case "ImportExpression":
      return [value];
    case "AwaitExpression":
      return aliased(value.argument);
    default:
      return [];
  }
}
