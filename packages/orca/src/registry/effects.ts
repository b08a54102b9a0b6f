/**
 * What evaluating a unit of the top level may change, so that a step's hash counts what was done to the values that it reaches.
 *
 * - Most units only make a value: functions, literals, Orca's declarations. They count where that value is reached.
 * - `table.set("a", 1)`, and `const s = register(table)`, may change what they mention: they count wherever that is reached.
 * - `process.env.TZ = "UTC"`, `configure({ … })` of a package, and what calls a function that does so, may change anything: they count
 *   everywhere.
 *
 * Of a package's function called for a value (`const a = z.object({ … })`) it is assumed that it changes no more than it is given.
 */
import type { AnyNode } from "acorn";
import type { Code, Unit } from "./code.ts";
import { orcaFunction } from "./orca-calls.ts";
import { outwardOf, type Outward } from "./outward-calls.ts";
import { createPurity } from "./purity.ts";
import { holdsState } from "./state-held.ts";
import { isFunction, walk } from "./syntax-tree.ts";

/** A unit whose evaluation may change something. */
export interface Effect {
  readonly unit: Unit;
  /** The units whose variables it may change, or everything. */
  readonly touches: readonly Unit[] | "everything";
}

/** The units whose evaluation may change something, in the order of evaluation. */
export function findEffects(code: Code): readonly Effect[] {
  const isPure = createPurity(code);
  const stateful = new Set(code.units.filter((unit) => holdsState(unit, code, isPure)));
  const outward = new Map<Unit, Outward>();
  const effects: Effect[] = [];
  for (const unit of code.units) {
    if (isPure(unit.node)) continue;
    const isOrcas = unit.value !== undefined && orcaFunction(unit.value, code) !== undefined;
    const isForValue = unit.value !== undefined || /^(VariableDeclarator|ClassDeclaration)$/.test(unit.node.type);
    // functions on their way into a step or a task aren't called before that runs
    const mentioned = mentionedFrom(unit, isOrcas ? mentionsOutsideFunctions(unit.node, code) : unit.mentions, code);
    const reachesOut = [...mentioned].some((u) => {
      const known = isOrcas && u === unit ? outwardOf(u.node, code, isPure, isFunction) : outward.get(u);
      const { statements, calls } = known ?? outwardOf(u.node, code, isPure);
      if (!known) outward.set(u, { statements, calls });
      return statements || (calls && !isForValue);
    });
    effects.push({ unit, touches: reachesOut ? "everything" : [...mentioned].filter((u) => stateful.has(u)) });
  }
  return effects;
}

function mentionsOutsideFunctions(root: AnyNode, code: Code): ReadonlySet<string> {
  const mentions = new Set<string>();
  walk(root, (node) => {
    if (node.type === "Identifier" && code.variables.of(node)?.isTop) mentions.add(node.name);
    return !isFunction(node);
  });
  return mentions;
}

/** A unit and all that it mentions, over any number of mentions. */
function mentionedFrom(unit: Unit, names: ReadonlySet<string>, code: Code): Set<Unit> {
  const found = new Set([unit]);
  follow(names);
  for (const u of found) if (u !== unit) follow(u.mentions);
  return found;

  function follow(mentions: ReadonlySet<string>): void {
    for (const name of mentions) {
      const declaring = code.declaring.get(name);
      if (declaring !== undefined) found.add(declaring);
      for (const assigning of code.assigning.get(name) ?? []) found.add(assigning);
    }
  }
}
