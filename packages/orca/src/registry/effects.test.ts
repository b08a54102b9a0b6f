import { describe, expect, it } from "vitest";
import { changedSteps, type Change } from "./changed-steps.fixture.ts";

describe("what is changed when the file is loaded counts for the steps that use it:", () => {
  it.each<Change>([
    [
      "a property that a function gets by another name",
      `const f = () => f.n; const g = f; g.n = «1→9»; const a = mapped("a", async () => f());`,
      ["a"],
    ],
    [
      "what was put into a table before",
      `const t = new Map(); t.set("x", «1→9»); const a = mapped("a", async () => t.get("x"));`,
      ["a"],
    ],
    [
      "what was put into a table by a call for a value",
      `const t = new Map(); const u = t.set("x", «1→9»); const a = mapped("a", async () => t.get("x"));`,
      ["a"],
    ],
    [
      "what a function put into a table",
      `const t = []; function add(n) { t.push(n«→ + 1»); } add(1); const a = mapped("a", async () => t[0]);`,
      ["a"],
    ],
    [
      "what a loop put into a table",
      `const t = []; for (const n of [1, «2→3»]) t.push(n); const a = mapped("a", async () => t[0]);`,
      ["a"],
    ],
    ["an assignment", `let n = 0; if (process.platform) n = «1→9»; const a = mapped("a", async () => n);`, ["a"]],
    [
      "an assignment in a function",
      `let n; const start = () => { n ??= «1→9»; }; const a = mapped("a", async () => n);`,
      ["a"],
    ],
    ["a property of a function", `const f = () => f.n; f.n = «1→9»; const a = mapped("a", async () => f());`, ["a"]],
    [
      "what a CommonJS module had changed in it",
      `import c from "./c.cjs"; import "./d.cjs"; const a = mapped("a", async () => c.x);`,
      ["a"],
      { "c.cjs": `exports.x = 1;`, "d.cjs": `require('./c.cjs').x = «2→9»;` },
    ],
    [
      "what a callback put into a table, of a method of what Orca returned",
      `import { Month } from "orcajs"; const rates = new Map(); Month.days(Month("2024-01")).forEach((d) => rates.set(d, «1→9»)); const a = mapped("a", async () => rates.size);`,
      ["a"],
    ],
    [
      "what a callback put into a table while it made a value",
      `import { Day } from "orcajs"; const t = []; const u = Day.range(Day("2024-01-01"), Day("2024-01-03")).map((d) => t.push(d + «1→9»)); const a = mapped("a", async () => t);`,
      ["a"],
    ],
    [
      "what a named callback put into a table",
      `import { Month } from "orcajs"; const t = []; const add = (d) => t.push(d, «1→9»); Month.days(Month("2024-01")).forEach(add); const a = mapped("a", async () => t);`,
      ["a"],
    ],
    [
      "what was put into an array that Orca returned",
      `import { Month } from "orcajs"; const ms = Month.range(Month("2024-01"), Month("2024-03")); ms.push("«1→9»"); const a = mapped("a", async () => ms);`,
      ["a"],
    ],
    [
      "a method that is patched by another name of the prototype",
      `class C { m() { return 0; } } const p = C.prototype; p.m = () => «1→9»; const a = mapped("a", async () => new C().m());`,
      ["a"],
    ],
    [
      "a method that a function mixes in",
      `class C { m() { return 0; } } function mixin(p) { p.m = () => «1→9»; } mixin(C.prototype); const a = mapped("a", async () => new C().m());`,
      ["a"],
    ],
    [
      "a static that a static method sets",
      `class C { static set(n) { this.n = n; } } C.set(«1→9»); const a = mapped("a", async () => C.n);`,
      ["a"],
    ],
    [
      "a prototype that is in a list",
      `class C { m() { return 0; } } for (const p of [C.prototype]) p.m = () => «1→9»; const a = mapped("a", async () => new C().m());`,
      ["a"],
    ],
    [
      "what the other step changes where its function is made",
      `const t = { n: 0 }; const a = mapped("a", async () => t.n); const b = gather("b", (() => { t.n = «1→9»; return async () => 7; })());`,
      ["a", "b"],
    ],
    [
      "what the other step changes where its options are made",
      `const t = { n: 0 }; const set = (n) => { t.n = n; return 1; }; const a = mapped("a", async () => t.n); const b = gather("b", { retries: set(«1→9») }, async () => 7);`,
      ["a", "b"],
    ],
    [
      "a method that is decorated as TypeScript once did",
      `function d(p, k) { p[k] = () => «1→9»; } class C { @d m() { return 0; } } const a = mapped("a", async () => new C().m());`,
      ["a"],
      { "tsconfig.json": `{ "compilerOptions": { "experimentalDecorators": true } }` },
    ],
  ])("%s", async (_, code, steps, more) => {
    expect(await changedSteps(code, more)).toEqual(steps);
  });
});

describe("when that is done counts:", () => {
  it.each<Change>([
    [
      "the order of what has effects",
      `const t = []; «t.push(1); t.unshift(2)→t.unshift(2); t.push(1)»; const a = mapped("a", async () => t[0]);`,
      ["a"],
    ],
    [
      "the order of a read and a change",
      `const c = { rate: 1 }; «const rate = c.rate; c.rate = 2→c.rate = 2; const rate = c.rate»; const a = mapped("a", async () => rate);`,
      ["a"],
    ],
    [
      "the order of a read by a function and a change",
      `const c = { rate: 1 }; const read = () => c.rate; «const rate = read(); c.rate = 2→c.rate = 2; const rate = read()»; const a = mapped("a", async () => rate);`,
      ["a"],
    ],
    [
      "the order of a copy and a change",
      `const c = [1]; «const d = [...c]; c.push(2)→c.push(2); const d = [...c]»; const a = mapped("a", async () => d);`,
      ["a"],
    ],
    [
      "the order of a read of the environment and its change",
      `«const zone = process.env.TZ; process.env.TZ = "UTC"→process.env.TZ = "UTC"; const zone = process.env.TZ»; const a = mapped("a", async () => zone);`,
      ["a"],
    ],
    [
      "the order of what a step is given and a change",
      `const c = { n: 1 }; const make = (n) => async () => n; «const a = mapped("a", make(c.n)); c.n = 2→c.n = 2; const a = mapped("a", make(c.n))»;`,
      ["a"],
    ],
    [
      "the order of another name and an assignment",
      `let n = 1; «const first = n; n = 2→n = 2; const first = n»; const a = mapped("a", async () => first);`,
      ["a"],
    ],
    [
      "the order of another name and the only assignment",
      `let n; «const first = n; n = 2→n = 2; const first = n»; const a = mapped("a", async () => first);`,
      ["a"],
    ],
  ])("%s", async (_, code, steps, more) => {
    expect(await changedSteps(code, more)).toEqual(steps);
  });
});
