/** Which variable each identifier of a module names. */
import type { AnyNode, Identifier, Pattern, Program } from "acorn";
import { childrenOf, isFunction, walk, type Func } from "./syntax-tree.ts";

/** A variable of a module: at its top level, or of a function or block in it. */
export interface Variable {
  readonly name: string;
  readonly isTop: boolean;
}

export interface Variables {
  /** The variable that an identifier names; none where it names a global, or is no more than a property's or a label's name. */
  of(identifier: Identifier): Variable | undefined;
  /** Every identifier that names that variable of the top level, its declaration included. */
  usesOf(name: string): readonly Identifier[];
  /** What a variable is declared or assigned as, or as a part of. */
  valuesOf(variable: Variable): readonly AnyNode[];
  /** What a node is directly in. */
  parentOf(node: AnyNode): AnyNode | undefined;
}

/** Resolves a module's identifiers by the scopes of ECMAScript (section 9.1 of ECMA-262) in strict mode. */
export function resolveVariables(program: Program): Variables {
  const named = new Map<Identifier, Variable>();
  const uses = new Map<string, Identifier[]>();
  const values = new Map<Variable, AnyNode[]>();
  const parents = new Map<AnyNode, AnyNode>();

  const top = new Scope(undefined, true);
  declareStatements(program.body, top);
  declareVars(program.body, top);
  for (const node of program.body) within(program, node, top);
  return {
    of: (identifier) => named.get(identifier),
    usesOf: (name) => uses.get(name) ?? [],
    valuesOf: (variable) => values.get(variable) ?? [],
    parentOf: (node) => parents.get(node),
  };

  function within(parent: AnyNode, node: AnyNode, scope: Scope): void {
    parents.set(node, parent);
    resolve(node, scope);
  }

  function all(node: AnyNode, scope: Scope): void {
    for (const child of childrenOf(node)) within(node, child, scope);
  }

  function resolve(node: AnyNode, scope: Scope): void {
    switch (node.type) {
      case "Identifier": {
        const variable = scope.find(node.name);
        if (variable === undefined) return;
        named.set(node, variable);
        if (variable.isTop && !uses.has(node.name)) uses.set(node.name, []);
        if (variable.isTop) uses.get(node.name)!.push(node);
        return;
      }
      case "VariableDeclarator":
      case "AssignmentExpression":
        all(node, scope);
        if (node.type === "VariableDeclarator") noteValue(node.id, node.init, scope);
        else noteValue(node.left, node.right, scope);
        return;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return resolveFunction(node, scope);
      case "ClassExpression": {
        const inner = node.id ? new Scope(scope).declare(node.id.name) : scope;
        return all(node, inner);
      }
      case "StaticBlock":
      case "BlockStatement": {
        const inner = new Scope(scope);
        if (node.type === "StaticBlock") declareVars(node.body, inner);
        declareStatements(node.body, inner);
        return all(node, inner);
      }
      case "ForStatement":
        return all(node, blockScope(node.init ? [node.init] : [], scope));
      case "ForInStatement":
      case "ForOfStatement":
        return all(node, blockScope([node.left], scope));
      case "SwitchStatement": {
        within(node, node.discriminant, scope);
        const inner = blockScope(node.cases.flatMap((c) => c.consequent), scope); // prettier-ignore
        for (const c of node.cases) within(node, c, inner);
        return;
      }
      case "CatchClause":
        return all(node, node.param ? declarePattern(node.param, new Scope(scope)) : scope);
      case "MemberExpression":
        within(node, node.object, scope);
        if (node.computed) within(node, node.property, scope);
        return;
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
        if (node.computed) within(node, node.key, scope);
        if (node.value) within(node, node.value, scope);
        return;
      case "LabeledStatement":
        return within(node, node.body, scope);
      case "ExportNamedDeclaration":
        if (!node.source) all(node, scope); // else its names are the other module's
        return;
      case "ExportSpecifier":
        if (node.local.type === "Identifier") within(node, node.local, scope);
        return;
      case "ImportSpecifier":
        return within(node, node.local, scope);
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
      case "ImportAttribute":
        return;
      default:
        return all(node, scope);
    }
  }

  function noteValue(pattern: AnyNode, value: AnyNode | null | undefined, scope: Scope): void {
    for (const name of value ? namesIn(pattern) : []) {
      const variable = scope.find(name);
      if (variable !== undefined) values.set(variable, [...(values.get(variable) ?? []), value!]);
    }
  }

  /** Parameters are a scope of their own: a default value doesn't see the body's variables. */
  function resolveFunction(node: Func, scope: Scope): void {
    const own = node.type === "FunctionExpression" && node.id ? new Scope(scope).declare(node.id.name) : scope;
    const params = new Scope(own);
    for (const param of node.params) declarePattern(param, params);
    if (node.id) within(node, node.id, own);
    for (const param of node.params) within(node, param, params);
    if (node.body.type !== "BlockStatement") return within(node, node.body, params);

    const body = new Scope(params);
    declareVars(node.body.body, body, params);
    declareStatements(node.body.body, body);
    parents.set(node.body, node);
    all(node.body, body);
  }
}

class Scope {
  readonly #variables = new Map<string, Variable>();
  readonly #parent: Scope | undefined;
  readonly #isTop: boolean;

  constructor(parent?: Scope, isTop = false) {
    this.#parent = parent;
    this.#isTop = isTop;
  }

  declare(name: string): this {
    if (!this.#variables.has(name)) this.#variables.set(name, { name, isTop: this.#isTop });
    return this;
  }

  has(name: string): boolean {
    return this.#variables.has(name);
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.#parent?.find(name);
  }
}

function blockScope(nodes: readonly AnyNode[], parent: Scope): Scope {
  const scope = new Scope(parent);
  declareStatements(nodes, scope);
  return scope;
}

/** What a list of statements declares for its own block: let, const, using, classes, functions, imports. */
function declareStatements(statements: readonly AnyNode[], scope: Scope): void {
  for (const node of statements) {
    if (node.type === "VariableDeclaration" && node.kind !== "var") {
      for (const declarator of node.declarations) declarePattern(declarator.id, scope);
    } else if (node.type === "ClassDeclaration" || node.type === "FunctionDeclaration") {
      if (node.id) scope.declare(node.id.name);
    } else if (node.type === "ImportDeclaration") {
      for (const specifier of node.specifiers) scope.declare(specifier.local.name);
    } else if (node.type === "ExportNamedDeclaration" || node.type === "ExportDefaultDeclaration") {
      if (node.declaration) declareStatements([node.declaration], scope);
    }
  }
}

/** Every `var` of a function's body, however deep; one that repeats a parameter is that parameter. */
function declareVars(statements: readonly AnyNode[], scope: Scope, params?: Scope): void {
  for (const statement of statements) {
    walk(statement, (node) => {
      if (isFunction(node) || node.type === "StaticBlock") return false;
      if (node.type === "VariableDeclaration" && node.kind === "var") {
        for (const { id } of node.declarations) {
          for (const name of namesIn(id)) if (!params?.has(name)) scope.declare(name);
        }
      }
      return true;
    });
  }
}

function declarePattern(pattern: AnyNode, scope: Scope): Scope {
  for (const name of namesIn(pattern)) scope.declare(name);
  return scope;
}

/** The names that a pattern binds, in the order of the text. */
export function namesIn(pattern: AnyNode): string[] {
  return targetsIn(pattern).flatMap((target) => (target.type === "Identifier" ? [target.name] : []));
}

/** What a pattern assigns to: identifiers, and in an assignment members too. */
export function targetsIn(pattern: AnyNode): Pattern[] {
  switch (pattern.type) {
    case "Identifier":
    case "MemberExpression":
      return [pattern];
    case "AssignmentPattern":
      return targetsIn(pattern.left);
    case "RestElement":
      return targetsIn(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? targetsIn(element) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((p) => targetsIn(p.type === "Property" ? p.value : p.argument));
    default:
      return [];
  }
}
