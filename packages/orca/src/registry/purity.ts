/** Which expressions only make a value: evaluating them changes nothing that another part of the code can see. */
import type { AnyNode, CallExpression, Identifier, NewExpression } from "acorn";
import { MODULE, type Code } from "./code.ts";
import { isOfOrca, keepsFunctions } from "./orca-calls.ts";
import { isFunction, nameOfKey, rootOf, type Func } from "./syntax-tree.ts";

export type IsPure = (node: AnyNode) => boolean;

/** Globals that can be called without changing anything else; what is printed doesn't count. */
const PURE_FUNCTIONS =
  /^(console|Math|JSON|Number|String|Boolean|BigInt|Symbol|Date|Intl|parseInt|parseFloat|isNaN|isFinite|structuredClone|encodeURIComponent|decodeURIComponent|encodeURI|decodeURI)$/;
const PURE_METHODS = /^(Object\.(keys|values|entries|fromEntries|create|hasOwn)|Array\.(of|isArray)|Promise\.resolve)$/;
const PURE_CLASSES =
  /^(Map|Set|WeakMap|WeakSet|Date|RegExp|URL|URLSearchParams|Array|Object|ArrayBuffer|DataView|TextEncoder|TextDecoder|AbortController|\w*Error|\w+Array|Intl)$/;

const METHODS_OF_VALUES =
  /^(at|charAt|concat|endsWith|includes|indexOf|join|padEnd|padStart|repeat|slice|split|startsWith|substring|toLowerCase|toString|toUpperCase|trim)$/;
const METHODS_OF_FUNCTIONS = /^(every|filter|find|findIndex|findLast|flatMap|map|reduce|some)$/;

/** Getters and conversions to text are taken to be pure, as esbuild takes them. */
export function createPurity(code: Code): IsPure {
  const known = new Map<Func, boolean>();
  return isPure;

  function isPure(node: AnyNode | null | undefined): boolean {
    if (!node) return true;
    switch (node.type) {
      case "Literal":
      case "Identifier":
      case "ThisExpression":
      case "MetaProperty":
      case "Super":
      case "TemplateElement":
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "EmptyStatement":
        return true;
      case "ExpressionStatement":
      case "ChainExpression":
        return isPure(node.expression);
      case "VariableDeclaration":
        return node.declarations.every(isPure) && !/using/.test(node.kind);
      case "VariableDeclarator":
        return isPurePattern(node.id) && isPure(node.init);
      case "AwaitExpression":
      case "SpreadElement":
      case "ReturnStatement":
      case "ThrowStatement":
        return isPure(node.argument);
      case "UnaryExpression":
        return node.operator !== "delete" && isPure(node.argument);
      case "BinaryExpression":
      case "LogicalExpression":
        return isPure(node.left) && isPure(node.right);
      case "IfStatement":
        if (isRunAsItIs(node.test)) return isPure(node.alternate);
        return isPure(node.test) && isPure(node.consequent) && isPure(node.alternate);
      case "ConditionalExpression":
        return isPure(node.test) && isPure(node.consequent) && isPure(node.alternate);
      case "MemberExpression":
        return isPure(node.object) && (!node.computed || isPure(node.property));
      case "ArrayExpression":
        return node.elements.every(isPure);
      case "TemplateLiteral":
      case "SequenceExpression":
        return node.expressions.every(isPure);
      case "ObjectExpression":
        return node.properties.every(isPure);
      case "Property":
        return (!node.computed || isPure(node.key)) && isPure(node.value);
      case "BlockStatement":
        return node.body.every(isPure);
      case "TaggedTemplateExpression":
        return isOfOrca(node.tag, code) && isPure(node.quasi);
      case "ClassDeclaration":
      case "ClassExpression":
        return isPure(node.superClass) && node.body.body.every(isPureMember);
      case "CallExpression":
        return node.arguments.every(isPure) && isPureCall(node);
      case "NewExpression":
        return node.arguments.every(isPure) && isPureClass(node);
      default:
        return false;
    }
  }

  function isPureMember(member: AnyNode): boolean {
    if (member.type === "StaticBlock") return member.body.every(isPure);
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return false;
    if (member.computed && !isPure(member.key)) return false;
    return member.type === "MethodDefinition" || !member.static || isPure(member.value);
  }

  function isPurePattern(pattern: AnyNode): boolean {
    if (pattern.type === "AssignmentPattern") return isPurePattern(pattern.left) && isPure(pattern.right);
    if (pattern.type === "ObjectPattern") {
      return pattern.properties.every((p) => p.type === "RestElement" || (!p.computed && isPurePattern(p.value)));
    }
    return pattern.type === "Identifier"; // taking an array's elements runs its iterator
  }

  function isPureCall(call: CallExpression): boolean {
    const root = rootOf(call);
    if (isOfOrca(call.callee, code)) return keepsFunctions(call, code) || !call.arguments.some(isCallable);
    if (isPureMethod(call)) return true;
    if (isFunction(root) && root === call.callee) return isPureFunction(root);
    if (root.type !== "Identifier") return false;
    const variable = code.variables.of(root);
    if (variable === undefined) return isPureGlobal(call, root);
    if (!variable.isTop) return false;
    if (code.runtime.has(root.name)) return /^__(commonJS|glob)$/.test(root.name);
    return isModule(root) || (call.callee === root && isPureVariable(root));
  }

  /** `Month.days(month).map((day) => …)`: a method that changes nothing, of a text or an array that is made where it is called. */
  function isPureMethod({ callee, arguments: args }: CallExpression): boolean {
    if (callee.type !== "MemberExpression" || !isMadeHere(callee.object)) return false;
    const name = nameOfKey(callee.property, callee.computed) ?? "";
    if (METHODS_OF_VALUES.test(name)) return !args.some(isCallable);
    const [fn, ...others] = args;
    return METHODS_OF_FUNCTIONS.test(name) && fn !== undefined && isPureCallback(fn) && !others.some(isCallable);
  }

  function isMadeHere(node: AnyNode): boolean {
    if (node.type === "ArrayExpression" || node.type === "TemplateLiteral") return true;
    if (node.type === "Literal") return typeof node.value === "string";
    return node.type === "CallExpression" && (isOfOrca(node.callee, code) || isPureMethod(node));
  }

  function isPureCallback(fn: AnyNode): boolean {
    if (isFunction(fn)) return isPureFunction(fn);
    if (isOfOrca(fn, code)) return true;
    if (fn.type !== "Identifier") return false;
    const variable = code.variables.of(fn);
    return variable === undefined ? PURE_FUNCTIONS.test(fn.name) : variable.isTop && isPureVariable(fn);
  }

  /** `JSON.parse(text)`, `new Date().toISOString()`; not where it is given a function, which it may call. */
  function isPureGlobal({ callee, arguments: args }: CallExpression, root: Identifier): boolean {
    if (args.some(isCallable)) return false;
    if (callee === root) return PURE_FUNCTIONS.test(root.name);
    if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return false;
    if (callee.object.type === "NewExpression") return root.name === "Date" && callee.property.name.startsWith("to");
    if (callee.object !== root) return false;
    return PURE_FUNCTIONS.test(root.name) || PURE_METHODS.test(`${root.name}.${callee.property.name}`);
  }

  function isCallable(node: AnyNode): boolean {
    if (node.type !== "Identifier") return isFunction(node);
    const unit = code.declaring.get(node.name);
    return code.imports.has(node.name) || (unit !== undefined && isFunction(unit.value ?? unit.node));
  }

  function isPureClass({ callee }: NewExpression): boolean {
    const root = rootOf(callee);
    return root.type === "Identifier" && code.variables.of(root) === undefined && PURE_CLASSES.test(root.name);
  }

  /** A call of `init_lib`, whose statements are units of their own. */
  function isModule({ name }: Identifier): boolean {
    const value = code.declaring.get(name)?.value;
    return value?.type === "Literal" && value.value === MODULE;
  }

  function isPureVariable({ name }: Identifier): boolean {
    const unit = code.declaring.get(name);
    if (unit === undefined || code.assigning.has(name)) return false;
    const fn = unit.node.type === "FunctionDeclaration" ? unit.node : unit.value;
    return fn !== undefined && isFunction(fn) && isPureFunction(fn);
  }

  /** Whether calling a function changes nothing. One that calls itself isn't found to be pure. */
  function isPureFunction(fn: Func): boolean {
    const before = known.get(fn);
    if (before !== undefined) return before;
    known.set(fn, false);
    const pure = fn.params.every(isPurePattern) && isPure(fn.body);
    known.set(fn, pure);
    return pure;
  }
}

/** `import.meta.main`, which is false in a built file. */
function isRunAsItIs(test: AnyNode): boolean {
  return (
    test.type === "MemberExpression" &&
    test.object.type === "MetaProperty" &&
    nameOfKey(test.property, false) === "main"
  );
}
