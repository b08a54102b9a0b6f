/** Where a pipeline, its steps and its tasks are declared in its code. */
import type { AnyNode, CallExpression } from "acorn";
import type { Code, Unit } from "./code.ts";
import { orcaFunction } from "./orca-calls.ts";
import { settledValues } from "./settled-values.ts";
import { isFunction, walk } from "./syntax-tree.ts";

export interface Declarations {
  /** What the file exports as its default: the call of `pipeline` where that can be read, else whatever makes it. */
  readonly pipeline: AnyNode;
  /** Where that is made. */
  readonly at: AnyNode;
  /** Its name, where that can be read. */
  readonly name: string | undefined;
  /** Its steps in order; none where the code doesn't say which they are. */
  readonly steps: readonly StepDeclaration[] | undefined;
}

export interface StepDeclaration {
  /** The call of `mapped` or `gather` where that can be read, else whatever makes it. */
  readonly node: AnyNode;
  /** Where that is made. */
  readonly at: AnyNode;
  readonly kind: "mapped" | "gather" | undefined;
  readonly name: string | undefined;
  /** Its function, where that can be read. */
  readonly fn: AnyNode | undefined;
}

export interface TaskDeclaration {
  readonly node: CallExpression;
  readonly name: string;
}

/** Reads what a module's default export declares; none without a default export. */
export function findDeclarations(code: Code): Declarations | undefined {
  if (code.defaultExport === undefined) return undefined;
  const { valueOf, textOf, elementsOf, propertyOf } = settledValues(code);
  const pipeline = valueOf(code.defaultExport);
  if (pipeline.type !== "CallExpression" || orcaFunction(pipeline, code) !== "pipeline") {
    return { pipeline: code.defaultExport, at: pipeline, name: undefined, steps: undefined };
  }
  const [name, options] = pipeline.arguments;
  const steps = elementsOf(propertyOf(options, "steps"));
  return { pipeline, at: pipeline, name: textOf(name), steps: steps?.map(stepOf) };

  function stepOf(element: AnyNode): StepDeclaration {
    const node = valueOf(element);
    const kind = orcaFunction(node, code);
    if (node.type !== "CallExpression" || (kind !== "mapped" && kind !== "gather")) {
      return { node: element, at: node, kind: undefined, name: undefined, fn: undefined };
    }
    const fn = node.arguments.some((argument) => argument.type === "SpreadElement") ? undefined : node.arguments.at(-1);
    return { node, at: node, kind, name: textOf(node.arguments[0]), fn };
  }
}

/** The tasks declared in units of the top level, other than in functions. A name that two tasks have names neither. */
export function findTasks(units: Iterable<Unit>, code: Code): TaskDeclaration[] {
  const { textOf } = settledValues(code);
  const found = new Map<AnyNode, TaskDeclaration>();
  for (const unit of units) {
    walk(unit.node, (node) => {
      if (isFunction(node)) return false;
      if (node.type !== "CallExpression" || orcaFunction(node, code) !== "task") return true;
      const name = textOf(node.arguments[0]);
      if (name !== undefined) found.set(node, { node, name });
      return true;
    });
  }
  const tasks = [...found.values()];
  return tasks.filter((task) => tasks.every((other) => other === task || other.name !== task.name));
}
