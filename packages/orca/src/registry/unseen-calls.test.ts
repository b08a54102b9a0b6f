import { describe, expect, it } from "vitest";
import { changedSteps, type Change } from "./changed-steps.fixture.ts";

describe("what is called without being named counts:", () => {
  it.each<Change>([
    [
      "what a getter changes",
      `const t = []; const o = { get x() { t.push(«1→9»); return 1; } }; const s = o.x; const a = mapped("a", async () => t);`,
      ["a"],
    ],
    [
      "what a conversion to text changes",
      `const t = []; const o = { toString() { t.push(«1→9»); return "x"; } }; const s = String(o); const a = mapped("a", async () => t);`,
      ["a"],
    ],
    [
      "what an iterator changes",
      `const t = []; const o = { *[Symbol.iterator]() { t.push(«1→9»); } }; const s = [...o]; const a = mapped("a", async () => t);`,
      ["a"],
    ],
    [
      "what a promise of its own kind changes",
      `const t = []; const s = await { then(done) { t.push(«1→9»); done(); } }; const a = mapped("a", async () => t);`,
      ["a"],
    ],
    [
      "a global that a text of code sets",
      `const s = Function("globalThis.x = «1→9»")(); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
  ])("%s", async (_, code, steps, more) => {
    expect(await changedSteps(code, more)).toEqual(steps);
  });
});
