/** A syntax tree as text that doesn't change with formatting, comments, names of local variables, or esbuild's version. */
import { createHash } from "node:crypto";
import type { AnyNode, CallExpression } from "acorn";
import type { Code } from "./code.ts";
import type { IsPure } from "./purity.ts";
import { irrelevantOptions, orcaNameOf } from "./orca-calls.ts";
import { isPackageSpecifier } from "./package-versions.ts";
import { isNode, nameOfKey } from "./syntax-tree.ts";
import type { Variable } from "./variables.ts";

export interface Fingerprint {
  /** A hash of all but the names that the references have here. */
  readonly digest: string;
  /** In the order of the text, each as often as it is there. */
  readonly references: readonly Reference[];
}

/** A variable of the top level, or a package. */
type Reference = { readonly name: string } | { readonly specifier: string };

/** Fields that say where a node is, or how it was written. */
const UNWRITTEN = new Set(["type", "start", "end", "loc", "range", "raw", "shorthand"]);

/** The fingerprint of a node. Local variables are numbered in the order of their first mention in it. */
export function fingerprint(root: AnyNode, code: Code, isPure: IsPure): Fingerprint {
  const tokens: string[] = [];
  const references: Reference[] = [];
  const locals = new Map<Variable, number>();
  const left = new Set<AnyNode>();
  write(root);
  return { digest: createHash("sha256").update(JSON.stringify(tokens)).digest("base64"), references };

  function write(node: AnyNode): void {
    const orca = orcaNameOf(node, code);
    if (orca !== undefined) return void tokens.push(`orca ${orca}`);
    switch (node.type) {
      case "Identifier":
        return writeIdentifier(node.name, code.variables.of(node));
      case "Literal":
        return isPackageSpecifier(node.value)
          ? refer({ specifier: node.value })
          : void tokens.push(textOfLiteral(node));
      case "TemplateElement":
        return void tokens.push(JSON.stringify(node.value.raw));
      case "CallExpression":
        return writeCall(node);
      case "MemberExpression":
        return writeFields(node, node.property.type === "Identifier" && !node.computed ? ["property"] : []);
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        return writeFields(node, isPlainKey(node) ? ["key"] : []);
      case "MetaProperty":
      case "LabeledStatement":
      case "BreakStatement":
      case "ContinueStatement":
        return writeFields(node, ["meta", "property", "label"]);
      default:
        return writeFields(node, []);
    }
  }

  /** @param names the fields that hold a name which isn't a variable's. */
  function writeFields(node: AnyNode, names: readonly string[]): void {
    tokens.push(`(${node.type}`);
    for (const [field, value] of Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (UNWRITTEN.has(field) || value === null || value === undefined || value === false) continue;
      tokens.push(`.${field}`);
      if (Array.isArray(value)) {
        for (const element of value) {
          if (element === null) tokens.push("hole");
          else if (!left.has(element)) write(element);
        }
      } else if (!isNode(value)) tokens.push(JSON.stringify(value));
      else if (names.includes(field)) tokens.push(JSON.stringify(nameOfKey(value, false) ?? ""));
      else write(value);
    }
    tokens.push(")");
  }

  function writeIdentifier(name: string, variable: Variable | undefined): void {
    if (variable === undefined) tokens.push(`global ${name}`);
    else if (code.runtime.has(name) && variable.isTop) tokens.push(`esbuild ${name}`);
    else if (variable.isTop) refer({ name });
    else {
      if (!locals.has(variable)) locals.set(variable, locals.size);
      tokens.push(`local ${locals.get(variable)}`);
    }
  }

  function refer(reference: Reference): void {
    tokens.push("reference");
    references.push(reference);
  }

  function writeCall(call: CallExpression): void {
    for (const option of irrelevantOptions(call, code, isPure)) left.add(option);
    const module = wrappedModule(call, code);
    if (module === undefined) return writeFields(call, []);
    tokens.push("(module");
    write(module); // without the path that esbuild calls it by
    tokens.push(")");
  }
}

/** The function of `__commonJS({ "lib/a.cjs"(exports) { … } })`. */
function wrappedModule(call: CallExpression, code: Code): AnyNode | undefined {
  const [module] = call.arguments;
  if (call.callee.type !== "Identifier" || call.callee.name !== "__commonJS" || !code.runtime.has("__commonJS"))
    return undefined;
  const property = module?.type === "ObjectExpression" ? module.properties[0] : undefined;
  return property?.type === "Property" ? property.value : undefined;
}

function isPlainKey(node: AnyNode & { readonly key: AnyNode; readonly computed: boolean }): boolean {
  return nameOfKey(node.key, node.computed) !== undefined;
}

function textOfLiteral(node: AnyNode & { readonly type: "Literal" }): string {
  if (node.regex) return `/${node.regex.pattern}/${node.regex.flags}`;
  if (typeof node.bigint === "string") return `${node.bigint}n`;
  return typeof node.value === "number" ? `number ${node.value}` : JSON.stringify(node.value); // JSON has no Infinity
}
