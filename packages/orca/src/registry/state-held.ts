/** Which units of the top level hold something that can change once it is made. */
import type { AnyNode } from "acorn";
import type { Code, Unit } from "./code.ts";
import { beginsAtOrca, orcaFunction } from "./orca-calls.ts";
import type { IsPure } from "./purity.ts";
import { isFunction, isOfObject, rootOf } from "./syntax-tree.ts";

/** Whether something of a unit can change. Functions can't, unless they are given properties; nor can texts, numbers and Orca's declarations. */
export function holdsState(unit: Unit, code: Code, isPure: IsPure): boolean {
  if (unit.declares.some((name) => code.assigning.has(name))) return true;
  const made = unit.value ?? unit.node;
  if (isFunction(made)) return unit.declares.some((name) => mayBeChanged(name, code));
  if (made.type === "ClassDeclaration" || made.type === "ClassExpression") {
    return hasStaticFields(made) || unit.declares.some((name) => mayBeChanged(name, code));
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
      return !(isPure(unit.value) && beginsAtOrca(rootOf(unit.value), code));
    default:
      return true;
  }
}

function hasStaticFields(node: AnyNode & { readonly type: "ClassDeclaration" | "ClassExpression" }): boolean {
  return node.body.body.some((m) => m.type === "StaticBlock" || (m.type === "PropertyDefinition" && m.static));
}

/** Whether a function or class may be given properties: the code has `name.x = …`, or it is where another name may be had for it. */
function mayBeChanged(name: string, code: Code): boolean {
  const { variables } = code;
  return variables.usesOf(name).some((use) => {
    let node: AnyNode = use;
    let parent = variables.parentOf(node);
    while (parent?.type === "MemberExpression" && parent.object === node) {
      node = parent;
      parent = variables.parentOf(node);
    }
    switch (parent?.type) {
      case "AssignmentExpression":
        return node === use ? parent.right === node : parent.left === node;
      case "CallExpression":
        if (parent.callee === node || orcaFunction(parent, code) !== undefined) return false;
        return node === use || isOfObject(parent.callee);
      case "NewExpression":
        return parent.callee !== node && node === use;
      case "UpdateExpression":
      case "UnaryExpression":
        return node !== use;
      case "VariableDeclarator":
        return node === use && parent.init === node;
      case "FunctionDeclaration":
      case "ClassDeclaration":
      case "ClassExpression":
      case "BinaryExpression":
      case "ExportSpecifier":
        return false;
      default:
        return node === use;
    }
  });
}
