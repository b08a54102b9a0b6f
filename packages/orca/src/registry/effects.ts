/**
 * What evaluating a unit of the top level may change, so that a step's hash counts what was done to the values that it reaches.
 *
 * - Most units only make a value: functions, literals, Orca's declarations. They count where that value is reached.
 * - `table.set("a", 1)`, and `const s = register(table)`, may change what they mention: they count wherever that is reached.
 * - `process.env.TZ = "UTC"`, `configure({ … })` of a package, `patch(Math)`, and what calls a function that does so, may change anything:
 *   they count everywhere.
 *
 * Of a package's function called for a value (`const a = z.object({ … })`) it is assumed that it changes no more than it is given.
 */
import type { AnyNode } from "acorn";
import type { Code, Unit } from "./code.ts";
import { keepsFunctions, orcaFunction } from "./orca-calls.ts";
import { outwardOf, type Outward } from "./outward-calls.ts";
import type { IsPure } from "./purity.ts";
import { holdsState } from "./state-held.ts";
import { isFunction, rootOf, walk } from "./syntax-tree.ts";
import { hasUnseenCalls } from "./unseen-calls.ts";

/** A unit whose evaluation may change something. */
export interface Effect {
  readonly unit: Unit;
  /** The units whose variables it may change, or everything. */
  readonly touches: readonly Unit[] | "everything";
}

/** The units whose evaluation may change something, in the order of evaluation. */
export function findEffects(code: Code, isPure: IsPure): readonly Effect[] {
  const stateful = new Set(code.units.filter((unit) => holdsState(unit, code, isPure)));
  const unseen = new Set(code.units.filter((unit) => hasUnseenCalls(unit.node, isPure)));
  const outward = new Map<Unit, Outward>();
  const effects: Effect[] = [];
  for (const unit of code.units) {
    if (isPure(unit.node) && !mayCallUnseen(unit)) continue;
    const isOrcas = isOfOrcas(unit, code);
    const isForValue = unit.value !== undefined || /^(VariableDeclarator|ClassDeclaration)$/.test(unit.node.type);
    const mentioned = mentionedFrom(unit, evaluatedMentions(unit, code), code);
    const reachesOut = [...mentioned].some((u) => {
      const known =
        isOrcas && u === unit ? outwardOf(u.node, code, isPure, (node) => isKept(node, code)) : outward.get(u);
      const { statements, calls } = known ?? outwardOf(u.node, code, isPure);
      if (!known) outward.set(u, { statements, calls });
      return statements || (calls && !isForValue);
    });
    effects.push({ unit, touches: reachesOut ? "everything" : [...mentioned].filter((u) => stateful.has(u)) });
  }
  return effects;

  /** Whether only reading what a unit reads may run code that changes something. */
  function mayCallUnseen(unit: Unit): boolean {
    if (unseen.size === 0 || isFunction(unit.value ?? unit.node)) return false;
    return unseen.has(unit) || [...readBy(unit, code)].some((u) => unseen.has(u));
  }
}

function isOfOrcas({ value }: Unit, code: Code): boolean {
  return value !== undefined && orcaFunction(value, code) !== undefined;
}

/** What evaluating a unit may read or change: functions on their way into a step or a task aren't called before that runs. */
function evaluatedMentions(unit: Unit, code: Code): ReadonlySet<string> {
  if (!isOfOrcas(unit, code)) return unit.mentions;
  const mentions = new Set<string>();
  walk(unit.node, (node) => {
    if (node.type === "Identifier" && code.variables.of(node)?.isTop) mentions.add(node.name);
    return !isKept(node, code);
  });
  return mentions;
}

/** Whether a node is a function that is given to a declaration of Orca's, or to a package that wraps it for one. */
function isKept(node: AnyNode, code: Code): boolean {
  if (!isFunction(node)) return false;
  const parent = code.variables.parentOf(node);
  if (parent?.type !== "CallExpression" || parent.callee === node) return false;
  if (keepsFunctions(parent, code)) return true;
  const root = rootOf(parent.callee);
  return root.type === "Identifier" && code.variables.of(root)?.isTop === true && code.imports.has(root.name);
}

/** All units that what evaluating a unit reads may come from. */
export function readBy(unit: Unit, code: Code): ReadonlySet<Unit> {
  return mentionedFrom(unit, evaluatedMentions(unit, code), code, true);
}

/** A unit and all that it mentions, over any number of mentions. */
function mentionedFrom(unit: Unit, names: ReadonlySet<string>, code: Code, isRead = false): Set<Unit> {
  const found = new Set([unit]);
  follow(names);
  for (const u of found) if (u !== unit) follow(isRead ? evaluatedMentions(u, code) : u.mentions);
  return found;

  function follow(mentions: ReadonlySet<string>): void {
    for (const name of mentions) {
      const declaring = code.declaring.get(name);
      if (declaring !== undefined) found.add(declaring);
      for (const assigning of code.assigning.get(name) ?? []) found.add(assigning);
    }
  }
}
