/** Which units of the top level hold something that can change once it is made. */
import type { AnyNode } from "acorn";
import type { Code, Unit } from "./code.ts";
import { orcaFunction } from "./orca-calls.ts";
import type { IsPure } from "./purity.ts";
import { isFunction, walk } from "./syntax-tree.ts";

/** Whether something of a unit can change. Functions can't, unless they are given properties; nor can texts, numbers and Orca's declarations. */
export function holdsState(unit: Unit, code: Code, isPure: IsPure): boolean {
  if (unit.declares.some((name) => code.assigning.has(name))) return true;
  const made = unit.value ?? unit.node;
  if (isFunction(made)) return unit.declares.some((name) => mayBeChanged(name, code));
  if (made.type === "ClassDeclaration" || made.type === "ClassExpression") {
    return hasState(made) || unit.declares.some((name) => mayBeChanged(name, code));
  }
  if (unit.value === undefined) return unit.declares.length > 0;
  switch (unit.value.type) {
    case "TemplateLiteral":
    case "UnaryExpression":
    case "BinaryExpression":
      return false;
    case "Literal":
      return unit.value.regex !== undefined && unit.value.regex.flags !== "";
    case "CallExpression":
      if (orcaFunction(unit.value, code) === undefined || !isPure(unit.value)) return true;
      return unit.declares.some((name) => isGivenProperties(name, code));
    default:
      return true;
  }
}

/** Whether a class has static fields, or static methods that may set some. */
function hasState(node: AnyNode & { readonly type: "ClassDeclaration" | "ClassExpression" }): boolean {
  return node.body.body.some(
    (m) => m.type === "StaticBlock" || (m.static && (m.type !== "MethodDefinition" || hasThis(m))),
  );
}

function hasThis(root: AnyNode): boolean {
  let found = false;
  walk(root, (node) => void (found ||= node.type === "ThisExpression" || node.type === "Super"));
  return found;
}

/** Whether the code sets a property of a variable's value, or calls a method of it or of a property. */
function isGivenProperties(name: string, code: Code): boolean {
  return code.variables.usesOf(name).some((use) => {
    const { node, parent } = chainOf(use, code);
    if (node === use) return false;
    if (parent?.type === "CallExpression") return true;
    if (parent?.type === "UnaryExpression") return parent.operator === "delete";
    return parent?.type === "UpdateExpression" || (parent?.type === "AssignmentExpression" && parent.left === node);
  });
}

/** Whether a function or class, or its prototype, may be given properties: by its name, or where another name may be had for it. */
function mayBeChanged(name: string, code: Code): boolean {
  return code.variables.usesOf(name).some((use) => {
    const { node, parent, length } = chainOf(use, code);
    switch (parent?.type) {
      case "AssignmentExpression":
        return node !== use || parent.right === node;
      case "CallExpression":
        return parent.callee === node ? length > 1 : orcaFunction(parent, code) === undefined;
      case "NewExpression":
        return parent.callee !== node;
      case "UpdateExpression":
        return node !== use;
      case "UnaryExpression":
        return parent.operator === "delete";
      case "VariableDeclarator":
        return parent.init === node;
      case "FunctionDeclaration":
      case "ClassDeclaration":
      case "ClassExpression":
      case "BinaryExpression":
      case "ExpressionStatement":
      case "TemplateLiteral":
      case "ExportSpecifier":
        return false;
      default:
        return true;
    }
  });
}

/** The chain of members that a use of a variable begins, and what that is in: `a.b.c` of the `a` in `a.b.c = 1`. */
function chainOf(use: AnyNode, { variables }: Code) {
  let node = use;
  let parent = variables.parentOf(node);
  let length = 0;
  for (; parent?.type === "MemberExpression" && parent.object === node; length++) {
    node = parent;
    parent = variables.parentOf(node);
  }
  return { node, parent, length };
}
