/** What a piece of code reaches, and its hash. */
import { createHash } from "node:crypto";
import type { AnyNode, Identifier } from "acorn";
import type { Hash } from "./built.ts";
import type { Code, Unit } from "./code.ts";
import { findEffects, readBy } from "./effects.ts";
import { fingerprint, type Fingerprint } from "./fingerprint.ts";
import { isOrca } from "./orca-calls.ts";
import type { Package } from "./package-versions.ts";
import { createPurity } from "./purity.ts";
import { isFunction } from "./syntax-tree.ts";

interface Reached {
  readonly hash: Hash;
  /** The packages that it reaches and all that those depend on, as `name@version`, sorted. */
  readonly packages: readonly string[];
  /** The units of the top level that it reaches. */
  readonly units: readonly Unit[];
}

/** Where a unit stands. */
interface Place {
  /** The units that change what it reads, and are evaluated before it. */
  readonly after: readonly Unit[];
  /** What it reads that is only evaluated after it. */
  readonly before: readonly Unit[];
}

export type Reach = (root: AnyNode) => Reached;

/**
 * A function that follows all that an expression of the top level reaches: what it mentions, over any number of mentions; what assigns
 * that; and what changed it when the module was loaded (`effects.ts`).
 */
export function createReach(code: Code, packages: ReadonlyMap<string, Package>): Reach {
  const isPure = createPurity(code);
  const effects = findEffects(code, isPure);
  const changing = new Set(effects.map(({ unit }) => unit));
  const places = new Map<Unit, Place>();
  const fingerprints = new Map<AnyNode, Fingerprint>();

  return (root) => {
    const text: string[] = [];
    const order: Unit[] = []; // of discovery, so that moving a declaration changes nothing
    const numbers = new Map<Unit, number>();
    const used = new Set<Package>();
    for (const specifier of code.bareImports) if (!isOrca(specifier)) text.push(`bare ${textOfImport(specifier)}`);
    write(root);
    for (let written = 0; ;) {
      for (; written < order.length; written++) {
        const { value, node } = order[written]!;
        text.push("unit");
        write(value ?? node);
      }
      for (const { unit, touches } of effects) {
        if (touches === "everything" || touches.some((touched) => numbers.has(touched))) numberOf(unit);
      }
      if (written === order.length) break;
    }
    for (const { unit } of effects) if (numbers.has(unit)) text.push(`then ${numbers.get(unit)}`);
    for (const unit of order) writePlace(unit);
    const rootUnit = isFunction(root)
      ? undefined
      : code.units.find((u) => u.node.start <= root.start && root.end <= u.node.end);
    if (rootUnit !== undefined && !numbers.has(rootUnit)) writePlace(rootUnit);

    const versions = [...new Set([...used].flatMap((p) => p.versions))].sort();
    return { hash: hashOf([...text, ...versions]), packages: versions, units: order };

    function write(node: AnyNode): void {
      const { digest, references } = fingerprintOf(node);
      text.push(digest);
      for (const r of references) text.push("name" in r ? textOfVariable(r.name) : textOfImport(r.specifier));
    }

    /** Writes where a unit is evaluated, as far as that decides what it reads: after which changes of it, and before what. */
    function writePlace(unit: Unit): void {
      const { after, before } = placeOf(unit);
      const last = after.findLast((u) => numbers.has(u)); // the order of changes is written above
      const later = before.flatMap((u) => numbers.get(u) ?? []);
      if (last === undefined && later.length === 0) return;
      text.push(`place ${numbers.get(unit) ?? "root"} ${last && numbers.get(last)} ${later.join(" ")}`);
    }

    function textOfVariable(name: string): string {
      const imported = code.imports.get(name);
      if (imported !== undefined) return `${textOfImport(imported.specifier)} ${imported.name}`;
      const unit = code.declaring.get(name);
      const assigning = code.assigning.get(name) ?? [];
      if (unit?.value?.type === "Identifier" && assigning.length === 0 && isSettledBefore(unit, unit.value)) {
        return textOfVariable(unit.value.name); // const a = b
      }
      const number = unit === undefined ? "none" : `${numberOf(unit)}.${unit.declares.indexOf(name)}`;
      for (const u of assigning) numberOf(u);
      return `variable ${number}`;
    }

    function textOfImport(specifier: string): string {
      const found = packages.get(specifier);
      if (found !== undefined) used.add(found);
      return isOrca(specifier) ? "orca" : `import ${found?.specifier ?? specifier} ${found?.versions[0] ?? ""}`;
    }

    function numberOf(unit: Unit): number {
      const known = numbers.get(unit);
      if (known !== undefined) return known;
      numbers.set(unit, order.length);
      return order.push(unit) - 1;
    }
  };

  function placeOf(unit: Unit): Place {
    const known = places.get(unit);
    if (known !== undefined) return known;
    const place = findPlace(unit);
    places.set(unit, place);
    return place;
  }

  function findPlace(unit: Unit): Place {
    if (isFunction(unit.value ?? unit.node) || unit.value?.type === "Literal") return { after: [], before: [] };
    const read = readBy(unit, code);
    const isRead = (touched: Unit) => read.has(touched);
    const after = changing.has(unit)
      ? [] // those have their place among each other
      : effects
          .filter(({ unit: e, touches }) => e.index < unit.index && (touches === "everything" || touches.some(isRead)))
          .map(({ unit: e }) => e);
    const before = [...read].filter((u) => u.index > unit.index && u.node.type !== "FunctionDeclaration");
    return { after, before };
  }

  /** Whether a variable has the one value that it ever has when a unit is evaluated. */
  function isSettledBefore(unit: Unit, named: Identifier): boolean {
    if (!code.variables.of(named)?.isTop || code.assigning.has(named.name)) return false;
    const declaring = code.declaring.get(named.name);
    if (declaring === undefined) return code.imports.has(named.name);
    return declaring.index < unit.index || declaring.node.type === "FunctionDeclaration";
  }

  function fingerprintOf(node: AnyNode): Fingerprint {
    const found = fingerprints.get(node) ?? fingerprint(node, code, isPure);
    fingerprints.set(node, found);
    return found;
  }
}

/** The hash of texts, which it keeps apart. */
export function hashOf(texts: readonly string[]): Hash {
  return `0x${createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16)}`;
}
