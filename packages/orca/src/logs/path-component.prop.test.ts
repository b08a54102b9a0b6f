import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathComponent } from "./path-component.ts";

const DEVICES = ["con", "prn", "aux", "nul", "com1", "lpt9"];
/** Many of few characters, so that names are alike; and any text at all. */
const names = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("aAeE0:._-=26é")), minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...Array.from("aA.")), minLength: 60, maxLength: 128 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 130 }),
  fc.constantFrom(".", "..", ...DEVICES, ...DEVICES.map((name) => name.toUpperCase())),
);

describe("a name's component of a path", () => {
  it("differs from any other name's, also where case counts for nothing", () => {
    fc.assert(
      fc.property(names, names, (a, b) => {
        fc.pre(a !== b);
        expect(pathComponent(a).toLowerCase()).not.toBe(pathComponent(b).toLowerCase());
      }),
      { numRuns: 5_000 },
    );
    const alike = Array.from("aAeE0:._-=2").flatMap((x, _i, all) =>
      all.flatMap((y) => all.flatMap((z) => [x, x + y, x + y + z])),
    );
    const all = new Set(alike);
    expect(new Set([...all].map((name) => pathComponent(name).toLowerCase())).size).toBe(all.size);
  });

  it("has at most 255 bytes, all of them safe, and is no device", () => {
    fc.assert(
      fc.property(names, (name) => {
        const component = pathComponent(name);
        expect(component).toMatch(/^[A-Za-z0-9_=-]{1,255}$/);
        expect(DEVICES).not.toContain(component.toLowerCase());
      }),
    );
  });

  it("is the name itself where that is plain, and can be read where it isn't", () => {
    const cases = {
      load_raw: "load_raw",
      "2024-01": "2024-01",
      loadEvents: "load=Events",
      "log.1": "log=2e1",
      "eu:a": "eu=3aa",
      "..": "=2e=2e",
      nul: "=6eul",
      NUL: "=N=U=L",
      ["A".repeat(128)]: `${"=A".repeat(100)}==306722501cb8c36db9f7ca4a2118aac8`,
    };
    for (const [name, component] of Object.entries(cases)) expect(pathComponent(name)).toBe(component);
  });
});
