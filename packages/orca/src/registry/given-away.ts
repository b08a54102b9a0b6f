/** Where code puts a global, or something of a package's, so that code which doesn't name it may change it. */
import type { AnyNode, Identifier, MetaProperty } from "acorn";
import type { Code } from "./code.ts";
import { isOfOrca } from "./orca-calls.ts";
import { nameOfKey } from "./syntax-tree.ts";

/** Those that are no objects. */
const NO_OBJECTS = /^(undefined|NaN|Infinity|arguments)$/;
/** Members of globals that are texts, numbers and symbols. */
const PLAIN =
  /^((Math|Number|Symbol)\.\w+|process\.(env\..+|argv\..+|platform|arch|pid|version|execPath|argv0)|import\.meta\.(url|dirname|filename|main))$/;
/** What of a process can be called without changing it. */
const PLAIN_CALLS =
  /^process\.(cwd|uptime|hrtime|hrtime\.bigint|memoryUsage|argv\.(slice|includes|indexOf|at|find|some|join))$/;
/** What can be given any object, and doesn't change it or hand it on. */
const READERS = /^(console\.\w+|JSON\.stringify|Object\.(keys|entries)|String|Number|Boolean|parseInt|parseFloat)$/;

/**
 * Whether a node is such a mention: `Math` in `patch(Math)`, `process.env` in `() => process.env`. Not one that is only called, compared or
 * extended, nor a plain value of it. What leads from a value to a prototype is one too, since that may be of any class.
 */
export function givesAway(node: AnyNode, code: Code): boolean {
  switch (node.type) {
    case "Identifier":
      return isOutside(node, code) && isGiven(node, code);
    case "MetaProperty":
      return node.meta.name === "new" || isGiven(node, code);
    case "MemberExpression":
      return leadsToPrototype(node, code);
    case "ObjectPattern":
      return node.properties.some((p) => p.type === "Property" && isPrototypeKey(nameOfKey(p.key, p.computed)));
    default:
      return false;
  }
}

function isOutside(node: Identifier, code: Code): boolean {
  if (code.variables.parentOf(node) === undefined) return false; // the name of a property
  const variable = code.variables.of(node);
  return variable === undefined ? !NO_OBJECTS.test(node.name) : variable.isTop && code.imports.has(node.name);
}

function isGiven(root: Identifier | MetaProperty, code: Code): boolean {
  const { parentOf } = code.variables;
  const path = root.type === "Identifier" ? [code.variables.of(root) ? "(import)" : root.name] : ["import.meta"];
  let node: AnyNode = root;
  let parent = parentOf(node);
  while (parent?.type === "ChainExpression" || (parent?.type === "MemberExpression" && parent.object === node)) {
    if (parent.type === "MemberExpression") path.push(nameOfKey(parent.property, parent.computed) ?? "(any)");
    node = parent;
    parent = parentOf(node);
  }
  const name = path.join(".");
  if (/^(eval|Function)$/.test(name) && parent?.type !== "BinaryExpression") return true; // what they run isn't known
  switch (parent?.type) {
    case "NewExpression":
      if (parent.callee === node) return false;
      break;
    case "CallExpression":
      if (parent.callee === node) return /^(process|global|globalThis)\./.test(name) && !PLAIN_CALLS.test(name);
      if (isOfOrca(parent.callee, code) || READERS.test(calledName(parent.callee, code))) return false;
      if (isPromisify(parent.callee, code)) return false;
      if (/^(Number|String|Boolean|BigInt|parseFloat)$/.test(name) || isOfOrca(node, code)) {
        const method = parent.callee.type === "MemberExpression" && nameOfKey(parent.callee.property, false);
        if (method && /^(map|filter|flatMap|some|every|find)$/.test(method)) return false;
      }
      break;
    case "TaggedTemplateExpression":
    case "BinaryExpression":
    case "TemplateLiteral":
    case "ExpressionStatement":
    case "SwitchCase":
    case "SwitchStatement":
    case "ClassDeclaration":
    case "ClassExpression":
      return false;
    case "UnaryExpression":
      return parent.operator === "delete";
    case "IfStatement":
    case "ConditionalExpression":
      if (parent.test === node) return false;
      break;
    case "SpreadElement":
      if (name === "process.env" && parentOf(parent)?.type === "ObjectExpression") return false;
      break;
    case "VariableDeclarator":
      if (name === "process.env" && takesTexts(parent.id)) return false;
      break;
    case "ForInStatement":
    case "ForOfStatement":
    case "UpdateExpression":
      return true;
    case "AssignmentExpression":
      if (parent.left === node) return true;
      break;
    default:
  }
  return !PLAIN.test(name);
}

/** `{ TOKEN, ZONE = "UTC" }` */
function takesTexts(pattern: AnyNode): boolean {
  if (pattern.type !== "ObjectPattern") return false;
  return pattern.properties.every((p) => {
    if (p.type !== "Property") return false;
    return (p.value.type === "AssignmentPattern" ? p.value.left : p.value).type === "Identifier";
  });
}

/** `promisify` of Node's, by itself or of its module: it calls what it is given when what it returns is called. */
function isPromisify(callee: AnyNode, code: Code): boolean {
  const isMember = callee.type === "MemberExpression";
  const root = isMember ? callee.object : callee;
  if (root.type !== "Identifier" || !code.variables.of(root)?.isTop) return false;
  const imported = code.imports.get(root.name);
  if (imported?.specifier !== "node:util") return false;
  return isMember ? nameOfKey(callee.property, callee.computed) === "promisify" : imported.name === "promisify";
}

function calledName(callee: AnyNode, code: Code): string {
  if (callee.type === "Identifier") return code.variables.of(callee) ? "" : callee.name;
  if (callee.type !== "MemberExpression") return "";
  return `${calledName(callee.object, code)}.${nameOfKey(callee.property, callee.computed) ?? ""}`;
}

function leadsToPrototype(node: AnyNode & { readonly type: "MemberExpression" }, code: Code): boolean {
  const key = nameOfKey(node.property, node.computed);
  if (key === "getPrototypeOf") return true;
  if (key === "prototype") return node.object.type !== "Identifier"; // of a class that isn't named
  if (!isPrototypeKey(key)) return false;
  const parent = code.variables.parentOf(node);
  if (parent?.type === "MemberExpression") return nameOfKey(parent.property, parent.computed) !== "name";
  return parent?.type !== "BinaryExpression";
}

function isPrototypeKey(key: string | undefined): boolean {
  return key === "constructor" || key === "__proto__";
}
