/** Calls of Orca's own functions: they are recognised by what is imported, whatever it is called here. */
import type { AnyNode, CallExpression, MemberExpression } from "acorn";
import type { Code } from "./code.ts";
import { nameOfKey } from "./syntax-tree.ts";

/** Whether a module's name is one of Orca's. Its version isn't part of any hash: an upgrade of Orca must not have everything redone. */
export function isOrca(specifier: string): boolean {
  return specifier === "orcajs" || specifier.startsWith("orcajs/") || specifier === "@orcajs/dista";
}

/** The name that Orca exports something by, of a reference to it: `mapped` of `m` in `import { mapped as m }`, and of `orca.mapped`. */
export function orcaNameOf(node: AnyNode, code: Code): string | undefined {
  if (node.type === "Identifier") {
    const imported = importOf(node, code);
    return imported !== undefined && imported.name !== "*" ? imported.name : undefined;
  }
  if (!isNamed(node) || node.object.type !== "Identifier") return undefined;
  return importOf(node.object, code)?.name === "*" ? node.property.name : undefined;
}

/** The function of Orca's that is called: `mapped` of `mapped("days", …)`. */
export function orcaFunction(node: AnyNode, code: Code): string | undefined {
  return node.type === "CallExpression" ? orcaNameOf(node.callee, code) : undefined;
}

/** Whether a reference is to something of Orca's: `mapped`, `Month.days`; not what calling it gives. */
export function isOfOrca(node: AnyNode, code: Code): boolean {
  return node.type === "MemberExpression"
    ? isNamed(node) && isOfOrca(node.object, code)
    : importOf(node, code) !== undefined;
}

/** Whether a function is kept until a step or a task runs: given to a declaration of Orca's. */
export function keepsFunctions(call: CallExpression, code: Code): boolean {
  return /^(mapped|gather|task|pipeline|dataset)$/.test(orcaFunction(call, code) ?? "");
}

/** What of a declaration changes nothing that its code does: when it runs, how often it is tried, how it is documented. */
const IRRELEVANT: Readonly<Record<string, readonly string[]>> = {
  mapped: ["retries", "timeout"],
  gather: ["retries", "timeout"],
  dataset: ["doc", "docs"],
  pipeline: "partitions schedule fills catchup sensor keysPerRun maxRuns runRetries concurrency".split(" "),
};

/**
 * The options of a call of Orca's that don't count: those nodes are left out of its hash, and the object where it has no others. Making
 * them must change nothing.
 */
export function irrelevantOptions(
  call: CallExpression,
  code: Code,
  isPure: (node: AnyNode) => boolean,
): ReadonlySet<AnyNode> {
  const name = orcaFunction(call, code);
  const names = name === undefined ? undefined : IRRELEVANT[name];
  const left = new Set<AnyNode>();
  if (names === undefined) return left;
  const options = call.arguments[name === "dataset" ? 2 : 1];
  if (options?.type !== "ObjectExpression") return left;
  for (const p of options.properties) {
    if (p.type === "Property" && names.includes(nameOfKey(p.key, p.computed) ?? "") && isPure(p)) left.add(p);
  }
  const isLast = call.arguments.at(-1) === options;
  if (options.properties.every((p) => left.has(p)) && (name === "dataset" || !isLast)) left.add(options);
  return left;
}

function importOf(identifier: AnyNode, code: Code) {
  if (identifier.type !== "Identifier" || !code.variables.of(identifier)?.isTop) return undefined;
  const imported = code.imports.get(identifier.name);
  return imported !== undefined && isOrca(imported.specifier) ? imported : undefined;
}

function isNamed(node: AnyNode): node is MemberExpression & { readonly property: { readonly name: string } } {
  return node.type === "MemberExpression" && !node.computed && node.property.type === "Identifier";
}
