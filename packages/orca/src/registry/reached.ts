/** What a piece of code reaches, and its hash. */
import { createHash } from "node:crypto";
import type { AnyNode } from "acorn";
import type { Hash } from "./built.ts";
import type { Code, Unit } from "./code.ts";
import { findEffects } from "./effects.ts";
import { fingerprint, type Fingerprint } from "./fingerprint.ts";
import { isOrca } from "./orca-calls.ts";
import type { Package } from "./package-versions.ts";

export interface Reached {
  readonly hash: Hash;
  /** The packages that it reaches and all that those depend on, as `name@version`, sorted. */
  readonly packages: readonly string[];
  /** The units of the top level that it reaches. */
  readonly units: readonly Unit[];
}

export type Reach = (root: AnyNode) => Reached;

/**
 * A function that follows all that an expression of the top level reaches: what it mentions, over any number of mentions; what assigns
 * that; and what changed it when the module was loaded (`effects.ts`).
 */
export function createReach(code: Code, packages: ReadonlyMap<string, Package>): Reach {
  const effects = findEffects(code);
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

    const versions = [...new Set([...used].flatMap((p) => p.versions))].sort();
    return { hash: hashOf([...text, ...versions]), packages: versions, units: order };

    function write(node: AnyNode): void {
      const { digest, references } = fingerprintOf(node);
      text.push(digest);
      for (const r of references) text.push("name" in r ? textOfVariable(r.name) : textOfImport(r.specifier));
    }

    function textOfVariable(name: string): string {
      const imported = code.imports.get(name);
      if (imported !== undefined) return `${textOfImport(imported.specifier)} ${imported.name}`;
      const unit = code.declaring.get(name);
      const assigning = code.assigning.get(name) ?? [];
      if (unit?.value?.type === "Identifier" && assigning.length === 0 && code.variables.of(unit.value)?.isTop) {
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

  function fingerprintOf(node: AnyNode): Fingerprint {
    const found = fingerprints.get(node) ?? fingerprint(node, code);
    fingerprints.set(node, found);
    return found;
  }
}

/** The hash of texts, which it keeps apart. */
export function hashOf(texts: readonly string[]): Hash {
  return `0x${createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16)}`;
}
