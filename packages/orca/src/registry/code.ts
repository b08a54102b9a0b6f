/** A pipeline's code as units: the declarations and statements of its flat module's top level, and what each mentions. */
import { parse, type AnyNode, type Expression, type ImportDeclaration, type Program } from "acorn";
import { walk } from "./syntax-tree.ts";
import { namesIn, resolveVariables, targetsIn, type Variables } from "./variables.ts";

/** A declaration or a statement of the top level. */
export interface Unit {
  /** Its place in the order of evaluation. */
  readonly index: number;
  /** A declarator, a function's or a class's declaration, or a statement. */
  readonly node: AnyNode;
  /** The variables that it declares. */
  readonly declares: readonly string[];
  /** The value that it gives to the one variable that it declares: `1` of `const a = 1`. */
  readonly value: Expression | undefined;
  /** The variables of the top level that it mentions. */
  readonly mentions: ReadonlySet<string>;
}

/** What a variable is imported as. */
interface Import {
  /** As the flat module has it. */
  readonly specifier: string;
  /** The name that it is exported by; `*` is all of them. */
  readonly name: string;
}

export interface Code {
  readonly units: readonly Unit[];
  /** The unit that declares a variable. */
  readonly declaring: ReadonlyMap<string, Unit>;
  /** The units that assign a variable after its declaration. */
  readonly assigning: ReadonlyMap<string, readonly Unit[]>;
  readonly imports: ReadonlyMap<string, Import>;
  /** The modules that are imported without naming anything of theirs, as the flat module has them. */
  readonly bareImports: readonly string[];
  /** esbuild's own functions, whose texts differ from version to version. */
  readonly runtime: ReadonlySet<string>;
  readonly variables: Variables;
  /** What the module exports as its default. */
  readonly defaultExport: AnyNode | undefined;
}

/**
 * Reads a flat module.
 *
 * @param runtimeEnd where esbuild's own functions end and the user's code begins.
 * @throws SyntaxError on syntax that acorn doesn't know, and on a direct `eval`, which can reach anything.
 */
export function readCode(text: string, runtimeEnd: number): Code {
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module" });
  const variables = resolveVariables(tree);
  refuseEval(tree, variables);

  const runtime = new Set<string>();
  const imports = new Map<string, Import>();
  const bareImports: string[] = [];
  const nodes: AnyNode[] = [];
  let defaultExport: AnyNode | undefined;
  for (const node of tree.body) {
    if (node.type === "ImportDeclaration") {
      const specifier = String(node.source.value);
      if (node.specifiers.length === 0) bareImports.push(specifier);
      for (const s of node.specifiers) imports.set(s.local.name, { specifier, name: importedName(s) });
    } else if (node.type === "ExportAllDeclaration") {
      bareImports.push(String(node.source.value));
    } else if (node.type === "ExportDefaultDeclaration") {
      defaultExport = node.declaration;
    } else if (node.type === "ExportNamedDeclaration") {
      for (const s of node.specifiers) if (nameOf(s.exported) === "default") defaultExport = s.local;
    } else if (node.type !== "VariableDeclaration") {
      nodes.push(node);
    } else if (node.start >= runtimeEnd) {
      for (const declarator of node.declarations) nodes.push(...unwrapped(declarator, runtime));
    } else {
      for (const { id } of node.declarations) for (const name of namesIn(id)) runtime.add(name);
    }
  }
  return { imports, bareImports, runtime, variables, defaultExport, ...unitsOf(nodes, variables) };
}

function unitsOf(nodes: readonly AnyNode[], variables: Variables): Pick<Code, "units" | "declaring" | "assigning"> {
  const assignments = new Map<string, number>();
  for (const node of nodes) {
    for (const name of assignedIn(node, variables)) assignments.set(name, (assignments.get(name) ?? 0) + 1);
  }
  // a variable without a value, assigned once and by a statement of the top level, is declared by that statement
  const valueless = new Set(
    nodes.flatMap((node) => (node.type === "VariableDeclarator" && !node.init ? namesIn(node.id) : [])),
  );
  const setOnce = new Set<string>();
  for (const node of nodes) {
    const name = assignedByStatement(node);
    if (name !== undefined && valueless.has(name) && assignments.get(name) === 1) setOnce.add(name);
  }

  const units: Unit[] = [];
  const declaring = new Map<string, Unit>();
  const assigning = new Map<string, Unit[]>();
  for (const node of nodes) {
    const declares = declaredBy(node, setOnce);
    if (node.type === "VariableDeclarator" && declares.length === 0 && !node.init) continue;
    const mentions = new Set<string>();
    walk(node, (n) => {
      if (n.type === "Identifier" && variables.of(n)?.isTop) mentions.add(n.name);
    });
    const unit = { index: units.length, node, declares, value: valueOf(node, setOnce), mentions };
    units.push(unit);
    const assigned = assignedIn(node, variables).filter((name) => !setOnce.has(name));
    for (const name of declares) if (!declaring.has(name)) declaring.set(name, unit);
    for (const name of [...declares.filter((name) => declaring.get(name) !== unit), ...assigned]) {
      assigning.set(name, [...(assigning.get(name) ?? []), unit]);
    }
  }
  return { units, declaring, assigning };
}

function declaredBy(node: AnyNode, setOnce: ReadonlySet<string>): readonly string[] {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id ? [node.id.name] : [];
    case "VariableDeclarator":
      return node.init ? namesIn(node.id) : namesIn(node.id).filter((name) => !setOnce.has(name));
    default: {
      const name = assignedByStatement(node);
      return name !== undefined && setOnce.has(name) ? [name] : varsIn(node);
    }
  }
}

function valueOf(node: AnyNode, setOnce: ReadonlySet<string>): Expression | undefined {
  if (node.type === "VariableDeclarator") return node.id.type === "Identifier" ? (node.init ?? undefined) : undefined;
  const name = assignedByStatement(node);
  if (name === undefined || !setOnce.has(name)) return undefined;
  return node.type === "ExpressionStatement" && node.expression.type === "AssignmentExpression"
    ? node.expression.right
    : undefined;
}

/** `a` of the statement `a = 1;`. */
function assignedByStatement(node: AnyNode): string | undefined {
  if (node.type !== "ExpressionStatement" || node.expression.type !== "AssignmentExpression") return undefined;
  const { left, operator } = node.expression;
  return operator === "=" && left.type === "Identifier" ? left.name : undefined;
}

/** The variables that a block or a loop of the top level declares by `var`. */
function varsIn(statement: AnyNode): string[] {
  const names: string[] = [];
  walk(statement, (node) => {
    if (/Function|StaticBlock/.test(node.type)) return false;
    if (node.type === "VariableDeclaration" && node.kind === "var")
      names.push(...node.declarations.flatMap((d) => namesIn(d.id)));
    return true;
  });
  return names;
}

/** The variables of the top level that a node assigns, one for each assignment. */
function assignedIn(node: AnyNode, variables: Variables): string[] {
  const names: string[] = [];
  walk(node, (n) => {
    const pattern = assignedPattern(n);
    if (pattern === undefined) return;
    for (const t of targetsIn(pattern)) if (t.type === "Identifier" && variables.of(t)?.isTop) names.push(t.name);
  });
  return names;
}

/** What an assignment, `++`, or a loop without a declaration assigns. */
function assignedPattern(node: AnyNode): AnyNode | undefined {
  switch (node.type) {
    case "AssignmentExpression":
      return node.left;
    case "UpdateExpression":
      return node.argument;
    case "ForInStatement":
    case "ForOfStatement":
      return node.left.type === "VariableDeclaration" ? undefined : node.left;
    default:
      return undefined;
  }
}

/** Stands for the function that runs a wrapped module. */
export const MODULE = "the statements of a module";

/**
 * esbuild wraps a module that is also imported dynamically: `var init_lib = __esm({ "lib.ts"() { … } })`. Its statements count as if they
 * stood there, so that what reaches one of its variables doesn't reach all of them.
 */
function unwrapped(declarator: AnyNode, runtime: ReadonlySet<string>): AnyNode[] {
  if (declarator.type !== "VariableDeclarator" || declarator.init?.type !== "CallExpression") return [declarator];
  const { callee, arguments: args } = declarator.init;
  if (callee.type !== "Identifier" || callee.name !== "__esm" || !runtime.has("__esm")) return [declarator];
  const property = args[0]?.type === "ObjectExpression" ? args[0].properties[0] : undefined;
  const fn = property?.type === "Property" ? property.value : undefined;
  if (fn?.type !== "FunctionExpression") return [declarator];
  const { start } = declarator;
  return [{ ...declarator, init: { type: "Literal", value: MODULE, start, end: start } }, ...fn.body.body];
}

function refuseEval(tree: Program, variables: Variables): void {
  walk(tree, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "eval") return;
    if (variables.of(node.callee) === undefined) throw new SyntaxError("a direct eval can reach anything");
  });
}

function importedName(specifier: ImportDeclaration["specifiers"][number]): string {
  if (specifier.type === "ImportSpecifier") return nameOf(specifier.imported);
  return specifier.type === "ImportNamespaceSpecifier" ? "*" : "default";
}

function nameOf(node: AnyNode): string {
  return node.type === "Identifier" ? node.name : node.type === "Literal" ? String(node.value) : "";
}
