/** What a variable holds, where that can be read from the code: nothing may have changed it since its declaration. */
import type { AnyNode, Expression } from "acorn";
import type { Code } from "./code.ts";
import { orcaFunction } from "./orca-calls.ts";
import { nameOfKey } from "./syntax-tree.ts";

export interface SettledValues {
  /** What an expression is, past the variables that stand for it: the call of `pipeline` for the `p` of `const p = pipeline(…)`. */
  valueOf(node: AnyNode): AnyNode;
  /** The text that an expression is. */
  textOf(node: AnyNode | undefined): string | undefined;
  /** The elements of an array, those of arrays spread in it included. */
  elementsOf(node: AnyNode | undefined): readonly AnyNode[] | undefined;
  /** A property of an object. */
  propertyOf(node: AnyNode | undefined, name: string): AnyNode | undefined;
}

export function settledValues(code: Code): SettledValues {
  return { valueOf, textOf, elementsOf, propertyOf };

  function valueOf(node: AnyNode): AnyNode {
    if (node.type === "MemberExpression") {
      const name = nameOfKey(node.property, node.computed);
      const property = name === undefined ? undefined : propertyOf(node.object, name);
      return property === undefined ? node : valueOf(property);
    }
    const value = node.type === "Identifier" ? declaredValue(node.name) : undefined;
    if (value === undefined) return node;
    const isMutable = value.type === "ArrayExpression" || value.type === "ObjectExpression";
    return isMutable && !isUnchanged(nameOf(node), new Set()) ? node : valueOf(value);
  }

  function textOf(node: AnyNode | undefined): string | undefined {
    const value = node && valueOf(node);
    if (value?.type === "Literal") return typeof value.value === "string" ? value.value : undefined;
    if (value?.type !== "TemplateLiteral" || value.expressions.length > 0) return undefined;
    return value.quasis[0]?.value.cooked ?? undefined;
  }

  function elementsOf(node: AnyNode | undefined): readonly AnyNode[] | undefined {
    const array = node && valueOf(node);
    if (array?.type !== "ArrayExpression") return undefined;
    const elements: AnyNode[] = [];
    for (const element of array.elements) {
      const several = element?.type === "SpreadElement" ? elementsOf(element.argument) : element && [element];
      if (!several) return undefined;
      elements.push(...several);
    }
    return elements;
  }

  function propertyOf(node: AnyNode | undefined, name: string): AnyNode | undefined {
    const object = node && valueOf(node);
    if (object?.type !== "ObjectExpression") return undefined;
    let found: AnyNode | undefined;
    for (const p of object.properties) {
      if (p.type === "SpreadElement") {
        const spread = valueOf(p.argument);
        if (spread.type !== "ObjectExpression") found = undefined; // it may hold the property, or not
        else found = propertyOf(spread, name) ?? (mayHave(spread, name) ? undefined : found);
      } else if (nameOfKey(p.key, p.computed) === name) found = p.kind === "init" ? p.value : undefined;
      else if (p.computed) found = undefined;
    }
    return found;
  }

  function mayHave(object: AnyNode, name: string): boolean {
    if (object.type !== "ObjectExpression") return true;
    return object.properties.some((p) => p.type === "SpreadElement" || p.computed || nameOfKey(p.key, false) === name);
  }

  function declaredValue(name: string): Expression | undefined {
    const unit = code.declaring.get(name);
    return code.assigning.has(name) ? undefined : unit?.value;
  }

  /** Whether every mention of a variable only reads it, or puts it where only Orca, or such a variable, has it. */
  function isUnchanged(name: string, asked: Set<string>): boolean {
    if (asked.has(name)) return true;
    asked.add(name);
    return code.variables.usesOf(name).every((use) => isHarmless(use, asked));
  }

  function isHarmless(node: AnyNode, asked: Set<string>): boolean {
    const parent = code.variables.parentOf(node);
    switch (parent?.type) {
      case "Property":
      case "ObjectExpression":
      case "ArrayExpression":
        return isHarmless(parent, asked);
      case "SpreadElement":
        // an array's elements are copied; what an object's properties hold is shared
        return code.variables.parentOf(parent)?.type === "ArrayExpression" || isHarmless(parent, asked);
      case "MemberExpression":
        return parent.object === node && isHarmless(parent, asked);
      case "CallExpression":
        return parent.callee !== node && orcaFunction(parent, code) !== undefined;
      case "VariableDeclarator":
        return parent.id === node || (parent.id.type === "Identifier" && isUnchanged(parent.id.name, asked));
      case "AssignmentExpression": {
        const unit = parent.left.type === "Identifier" ? code.declaring.get(parent.left.name) : undefined;
        if (unit?.value !== parent.right) return false;
        return parent.left === node || isUnchanged(nameOf(parent.left), asked);
      }
      case "ExportSpecifier":
      case "ExportDefaultDeclaration":
        return true;
      default:
        return false;
    }
  }
}

function nameOf(node: AnyNode): string {
  return node.type === "Identifier" ? node.name : "";
}
