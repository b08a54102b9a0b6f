import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readRegistry } from "./registry.ts";

type Files = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "orca-reached-"));
afterAll(() => rmSync(folder, { recursive: true }));
const P = "pipeline.ts";

async function stepsOf(files: Files) {
  const at = mkdtempSync(join(folder, "x"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  return (await readRegistry({ file: join(at, P) })).registry.steps;
}

/** The steps whose hashes differ between two versions of a pipeline. */
async function changed(before: Files, after: Files): Promise<string[]> {
  const [a, b] = [await stepsOf(before), await stepsOf(after)];
  return b.flatMap((s, i) => (s.hash === a[i]?.hash ? [] : [s.name || `step ${i}`]));
}

/** A pipeline of two steps, `a` and `b`, that have nothing to do with each other; `code` declares them and what they need. */
function small(code: string, more: Files = {}): Files {
  return {
    [P]: `import { dataset, gather, mapped, monthly, pipeline, task } from "orcajs";\n${code}\nexport default pipeline("p", { steps: [a, b], partitions: monthly("2024-01") });`,
    ...more,
  };
}

describe("what a step reaches", () => {
  const lib = (text: string): Files => ({ "lib.ts": text });
  it.each<[how: string, before: Files, after: Files, steps: string[]]>([
    [
      "a function given by name",
      small(`const load = async () => 1; const a = mapped("a", load); const b = mapped("b", async () => 2);`),
      small(`const load = async () => 9; const a = mapped("a", load); const b = mapped("b", async () => 2);`),
      ["a"],
    ],
    [
      "a function that a function makes",
      small(
        `const times = (n) => async () => n * 2; const a = mapped("a", times(1)); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const times = (n) => async () => n * 3; const a = mapped("a", times(1)); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a property that a function gets by another name",
      small(
        `const f = () => f.n; const g = f; g.n = 1; const a = mapped("a", async () => f()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const f = () => f.n; const g = f; g.n = 9; const a = mapped("a", async () => f()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a function that wraps its own",
      small(
        `import { traced } from "leftpad"; const a = mapped("a", traced(1, async () => { await fetch("x"); })); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { traced } from "leftpad"; const a = mapped("a", traced(9, async () => { await fetch("x"); })); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a class, its static fields and what it extends",
      small(
        `class Base { m() { return 1; } } class C extends Base { static n = 1; } const a = mapped("a", async () => C.n); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class Base { m() { return 9; } } class C extends Base { static n = 1; } const a = mapped("a", async () => C.n); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a static block",
      small(
        `class C { static n = 1; static { C.n++; } } const a = mapped("a", async () => C.n); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { static n = 1; static { C.n--; } } const a = mapped("a", async () => C.n); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "an enum",
      small(`enum E { X = 1 } const a = mapped("a", async () => E[1]); const b = mapped("b", async () => 2);`),
      small(`enum E { Y = 1 } const a = mapped("a", async () => E[1]); const b = mapped("b", async () => 2);`),
      ["a"],
    ],
    [
      "a namespace",
      small(
        `namespace N { export const x = () => 1; } const a = mapped("a", async () => N.x()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `namespace N { export const x = () => 9; } const a = mapped("a", async () => N.x()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what was put into a table before",
      small(
        `const t = new Map(); t.set("x", 1); const a = mapped("a", async () => t.get("x")); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = new Map(); t.set("x", 9); const a = mapped("a", async () => t.get("x")); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what was put into a table by a call for a value",
      small(
        `const t = new Map(); const u = t.set("x", 1); const a = mapped("a", async () => t.get("x")); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = new Map(); const u = t.set("x", 9); const a = mapped("a", async () => t.get("x")); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a function put into a table",
      small(
        `const t = []; function add(n) { t.push(n); } add(1); const a = mapped("a", async () => t[0]); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; function add(n) { t.push(n + 1); } add(1); const a = mapped("a", async () => t[0]); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a loop put into a table",
      small(
        `const t = []; for (const n of [1, 2]) t.push(n); const a = mapped("a", async () => t[0]); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; for (const n of [1, 3]) t.push(n); const a = mapped("a", async () => t[0]); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "an assignment",
      small(
        `let n = 0; if (process.platform) n = 1; const a = mapped("a", async () => n); const b = mapped("b", async () => 2);`,
      ),
      small(
        `let n = 0; if (process.platform) n = 9; const a = mapped("a", async () => n); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "an assignment in a function",
      small(
        `let n; const start = () => { n ??= 1; }; const a = mapped("a", async () => n); const b = mapped("b", async () => 2);`,
      ),
      small(
        `let n; const start = () => { n ??= 9; }; const a = mapped("a", async () => n); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a property of a function",
      small(
        `const f = () => f.n; f.n = 1; const a = mapped("a", async () => f()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const f = () => f.n; f.n = 9; const a = mapped("a", async () => f()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of what has effects",
      small(
        `const t = []; t.push(1); t.unshift(2); const a = mapped("a", async () => t[0]); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; t.unshift(2); t.push(1); const a = mapped("a", async () => t[0]); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a global that is set",
      small(`process.env["TZ"] = "UTC"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`),
      small(`process.env["TZ"] = "CET"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`),
      ["a", "b"],
    ],
    [
      "a global that a function sets",
      small(
        `function start() { process.env["TZ"] = "UTC"; return 1; } const x = start(); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `function start() { process.env["TZ"] = "CET"; return 1; } const x = start(); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a global that is set by another name",
      small(
        `const env = process.env; env["TZ"] = "UTC"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const env = process.env; env["TZ"] = "CET"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a global that is set by a part of it",
      small(
        `const { env } = process; function set() { const e = env; e.TZ = "UTC"; } set(); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const { env } = process; function set() { const e = env; e.TZ = "CET"; } set(); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a global that a function is given",
      small(
        `function set(e) { e.TZ = "UTC"; } set(process.env); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `function set(e) { e.TZ = "CET"; } set(process.env); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a global function that is replaced",
      small(`Date.now = () => 1; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`),
      small(`Date.now = () => 9; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`),
      ["a", "b"],
    ],
    [
      "a package that is configured",
      small(
        `import { configure } from "leftpad"; configure(1); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { configure } from "leftpad"; configure(9); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a module that is imported for its effects",
      small(
        `import "./lib.ts"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
        lib(`globalThis.x = 1;`),
      ),
      small(
        `import "./lib.ts"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
        lib(`globalThis.x = 9;`),
      ),
      ["a", "b"],
    ],
    [
      "a module that is imported dynamically",
      small(
        `const a = mapped("a", async () => (await import("./lib.ts")).x); const b = mapped("b", async () => 2);`,
        lib(`export const x = 1;`),
      ),
      small(
        `const a = mapped("a", async () => (await import("./lib.ts")).x); const b = mapped("b", async () => 2);`,
        lib(`export const x = 9;`),
      ),
      ["a"],
    ],
    [
      "one variable of a module that is imported both ways",
      small(
        `import { y } from "./lib.ts"; const a = mapped("a", async () => (await import("./lib.ts")).x); const b = mapped("b", async () => y);`,
        lib(`export const x = 1; export const y = 2;`),
      ),
      small(
        `import { y } from "./lib.ts"; const a = mapped("a", async () => (await import("./lib.ts")).x); const b = mapped("b", async () => y);`,
        lib(`export const x = 9; export const y = 2;`),
      ),
      ["a"],
    ],
    [
      "modules that are imported dynamically by a part of their name",
      small(
        "const a = mapped('a', async (ctx, m) => (await import(`./by/${m}.ts`)).x); const b = mapped('b', async () => 2);",
        { "by/m.ts": "export const x = 1;" },
      ),
      small(
        "const a = mapped('a', async (ctx, m) => (await import(`./by/${m}.ts`)).x); const b = mapped('b', async () => 2);",
        { "by/m.ts": "export const x = 9;" },
      ),
      ["a"],
    ],
    [
      "a CommonJS module",
      small(`import c from "./c.cjs"; const a = mapped("a", async () => c.x); const b = mapped("b", async () => 2);`, {
        "c.cjs": "exports.x = 1;",
      }),
      small(`import c from "./c.cjs"; const a = mapped("a", async () => c.x); const b = mapped("b", async () => 2);`, {
        "c.cjs": "exports.x = 9;",
      }),
      ["a"],
    ],
    [
      "what a CommonJS module had changed in it",
      small(
        `import c from "./c.cjs"; import "./d.cjs"; const a = mapped("a", async () => c.x); const b = mapped("b", async () => 2);`,
        { "c.cjs": "exports.x = 1;", "d.cjs": "require('./c.cjs').x = 2;" },
      ),
      small(
        `import c from "./c.cjs"; import "./d.cjs"; const a = mapped("a", async () => c.x); const b = mapped("b", async () => 2);`,
        { "c.cjs": "exports.x = 1;", "d.cjs": "require('./c.cjs').x = 9;" },
      ),
      ["a"],
    ],
    [
      "a module that is required",
      small(
        `const a = mapped("a", async () => require("./lib.ts").x); const b = mapped("b", async () => 2);`,
        lib(`export const x = 1;`),
      ),
      small(
        `const a = mapped("a", async () => require("./lib.ts").x); const b = mapped("b", async () => 2);`,
        lib(`export const x = 9;`),
      ),
      ["a"],
    ],
    [
      "what another module exports all of",
      small(
        `import { x } from "./lib.ts"; const a = mapped("a", async () => x); const b = mapped("b", async () => 2);`,
        { "lib.ts": `export * from "./deep.ts";`, "deep.ts": "export const x = 1; export const y = 1;" },
      ),
      small(
        `import { x } from "./lib.ts"; const a = mapped("a", async () => x); const b = mapped("b", async () => 2);`,
        { "lib.ts": `export * from "./deep.ts";`, "deep.ts": "export const x = 9; export const y = 1;" },
      ),
      ["a"],
    ],
    [
      "a value that a promise gave",
      small(
        `const n = await Promise.resolve(1); const a = mapped("a", async () => n); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const n = await Promise.resolve(9); const a = mapped("a", async () => n); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "where a module is",
      small(`const u = import.meta.url; const a = mapped("a", async () => u); const b = mapped("b", async () => 2);`),
      small(
        `const u = import.meta.dirname; const a = mapped("a", async () => u); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a text file, and a large JSON file",
      small(
        `import q from "./q.sql" with { type: "text" }; import big from "./big.json" with { type: "json" }; const a = mapped("a", async () => q); const b = mapped("b", async () => big.x);`,
        { "q.sql": "select 1", "big.json": JSON.stringify({ x: "1".repeat(20_000) }) },
      ),
      small(
        `import q from "./q.sql" with { type: "text" }; import big from "./big.json" with { type: "json" }; const a = mapped("a", async () => q); const b = mapped("b", async () => big.x);`,
        { "q.sql": "select 9", "big.json": JSON.stringify({ x: "9".repeat(20_000) }) },
      ),
      ["a", "b"],
    ],
    [
      "WebAssembly and a native file",
      small(
        `import w from "./w.wasm"; const a = mapped("a", async () => w); const b = mapped("b", async () => require("./n.node"));`,
        { "w.wasm": "1", "n.node": "1" },
      ),
      small(
        `import w from "./w.wasm"; const a = mapped("a", async () => w); const b = mapped("b", async () => require("./n.node"));`,
        { "w.wasm": "9", "n.node": "9" },
      ),
      ["a", "b"],
    ],
    [
      "infinity and null, which JSON writes alike",
      small(`const a = mapped("a", async () => null); const b = mapped("b", async () => 2);`),
      small(`const a = mapped("a", async () => 1e999); const b = mapped("b", async () => 2);`),
      ["a"],
    ],
    [
      "which of two parameters is meant, where a var repeats one",
      small(
        `function f(x, y) { var x; return x; } const a = mapped("a", async () => f(1, 2)); const b = mapped("b", async () => 2);`,
      ),
      small(
        `function f(x, y) { var y; return y; } const a = mapped("a", async () => f(1, 2)); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "which of two variables is meant",
      small(`const x = 1, y = 2; const a = mapped("a", async () => [x, y, x]); const b = mapped("b", async () => 2);`),
      small(`const x = 1, y = 2; const a = mapped("a", async () => [x, y, y]); const b = mapped("b", async () => 2);`),
      ["a"],
    ],
    [
      "which of what a pattern declares is meant",
      small(
        `const { x, y } = JSON.parse("{}"); const a = mapped("a", async () => x); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const { x, y } = JSON.parse("{}"); const a = mapped("a", async () => y); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a default value that a variable of the body hides",
      small(
        `const x = 1; function f(y = x) { var x = 2; return y; } const a = mapped("a", async () => f()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const x = 9; function f(y = x) { var x = 2; return y; } const a = mapped("a", async () => f()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a callback put into a table, of a method of what Orca returned",
      small(
        `import { Month } from "orcajs"; const rates = new Map(); Month.days(Month("2024-01")).forEach((d) => rates.set(d, 1)); const a = mapped("a", async () => rates.size); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { Month } from "orcajs"; const rates = new Map(); Month.days(Month("2024-01")).forEach((d) => rates.set(d, 9)); const a = mapped("a", async () => rates.size); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a callback put into a table while it made a value",
      small(
        `import { Day } from "orcajs"; const t = []; const u = Day.range(Day("2024-01-01"), Day("2024-01-03")).map((d) => t.push(d + 1)); const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { Day } from "orcajs"; const t = []; const u = Day.range(Day("2024-01-01"), Day("2024-01-03")).map((d) => t.push(d + 9)); const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a named callback put into a table",
      small(
        `import { Month } from "orcajs"; const t = []; const add = (d) => t.push(d, 1); Month.days(Month("2024-01")).forEach(add); const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { Month } from "orcajs"; const t = []; const add = (d) => t.push(d, 9); Month.days(Month("2024-01")).forEach(add); const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what was put into an array that Orca returned",
      small(
        `import { Month } from "orcajs"; const ms = Month.range(Month("2024-01"), Month("2024-03")); ms.push("1"); const a = mapped("a", async () => ms); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { Month } from "orcajs"; const ms = Month.range(Month("2024-01"), Month("2024-03")); ms.push("9"); const a = mapped("a", async () => ms); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a method that is patched by another name of the prototype",
      small(
        `class C { m() { return 0; } } const p = C.prototype; p.m = () => 1; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { m() { return 0; } } const p = C.prototype; p.m = () => 9; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a method that a function mixes in",
      small(
        `class C { m() { return 0; } } function mixin(p) { p.m = () => 1; } mixin(C.prototype); const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { m() { return 0; } } function mixin(p) { p.m = () => 9; } mixin(C.prototype); const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a method that is patched by an instance",
      small(
        `class C { m() { return 0; } } const c = new C(); c.constructor.prototype.m = () => 1; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { m() { return 0; } } const c = new C(); c.constructor.prototype.m = () => 9; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a prototype that is patched by an instance",
      small(
        `class C { m() { return 0; } } const c = new C(); Object.getPrototypeOf(c).m = () => 1; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { m() { return 0; } } const c = new C(); Object.getPrototypeOf(c).m = () => 9; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a static that a static method sets",
      small(
        `class C { static set(n) { this.n = n; } } C.set(1); const a = mapped("a", async () => C.n); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { static set(n) { this.n = n; } } C.set(9); const a = mapped("a", async () => C.n); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a prototype that is in a list",
      small(
        `class C { m() { return 0; } } for (const p of [C.prototype]) p.m = () => 1; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      small(
        `class C { m() { return 0; } } for (const p of [C.prototype]) p.m = () => 9; const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of a read and a change",
      small(
        `const c = { rate: 1 }; const rate = c.rate; c.rate = 2; const a = mapped("a", async () => rate); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const c = { rate: 1 }; c.rate = 2; const rate = c.rate; const a = mapped("a", async () => rate); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of a read by a function and a change",
      small(
        `const c = { rate: 1 }; const read = () => c.rate; const rate = read(); c.rate = 2; const a = mapped("a", async () => rate); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const c = { rate: 1 }; const read = () => c.rate; c.rate = 2; const rate = read(); const a = mapped("a", async () => rate); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of a copy and a change",
      small(
        `const c = [1]; const d = [...c]; c.push(2); const a = mapped("a", async () => d); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const c = [1]; c.push(2); const d = [...c]; const a = mapped("a", async () => d); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of a read of the environment and its change",
      small(
        ` const zone = process.env.TZ; process.env.TZ = "UTC"; const a = mapped("a", async () => zone); const b = mapped("b", async () => 2);`,
      ),
      small(
        ` process.env.TZ = "UTC"; const zone = process.env.TZ; const a = mapped("a", async () => zone); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of what a step is given and a change",
      small(
        `const c = { n: 1 }; const make = (n) => async () => n; const a = mapped("a", make(c.n)); c.n = 2; const b = mapped("b", async () => 2);`,
      ),
      small(
        `const c = { n: 1 }; const make = (n) => async () => n; c.n = 2; const a = mapped("a", make(c.n)); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of another name and an assignment",
      small(
        `let n = 1; const first = n; n = 2; const a = mapped("a", async () => first); const b = mapped("b", async () => 2);`,
      ),
      small(
        `let n = 1; n = 2; const first = n; const a = mapped("a", async () => first); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "the order of another name and the only assignment",
      small(
        `let n; const first = n; n = 2; const a = mapped("a", async () => first); const b = mapped("b", async () => 2);`,
      ),
      small(
        `let n; n = 2; const first = n; const a = mapped("a", async () => first); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a global that a function patches",
      small(
        `function patch(m) { m.random = () => 1; } patch(Math); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `function patch(m) { m.random = () => 9; } patch(Math); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a global prototype that a function extends",
      small(
        `function extend(p) { p.x = 1; } extend(Array.prototype); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `function extend(p) { p.x = 9; } extend(Array.prototype); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "an object of a package that a function changes",
      small(
        `import { client } from "leftpad"; function setup(c) { c.x = 1; return 1; } const done = setup(client); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `import { client } from "leftpad"; function setup(c) { c.x = 9; return 1; } const done = setup(client); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "the environment that is assigned to for a value",
      small(
        `const config = Object.assign(process.env, { X: "1" }); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const config = Object.assign(process.env, { X: "9" }); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "the environment that Reflect sets",
      small(
        `const done = Reflect.set(process.env, "X", "1"); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const done = Reflect.set(process.env, "X", "9"); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a variable of the environment that is deleted for a value",
      small(
        `const done = delete process.env.X1; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const done = delete process.env.X9; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "the environment that a function returns",
      small(
        `const env = () => process.env; env().X = "1"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const env = () => process.env; env().X = "9"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "the environment that is in a list",
      small(
        `for (const e of [process.env]) e.X = "1"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `for (const e of [process.env]) e.X = "9"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "the environment that is in an object",
      small(
        `const o = { env: process.env }; o.env.X = "1"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const o = { env: process.env }; o.env.X = "9"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "what the other step changes where its function is made",
      small(
        `const t = { n: 0 }; const a = mapped("a", async () => t.n); const b = gather("b", (() => { t.n = 1; return async () => 7; })());`,
      ),
      small(
        `const t = { n: 0 }; const a = mapped("a", async () => t.n); const b = gather("b", (() => { t.n = 9; return async () => 7; })());`,
      ),
      ["a", "b"],
    ],
    [
      "what the other step changes where its options are made",
      small(
        `const t = { n: 0 }; const set = (n) => { t.n = n; return 1; }; const a = mapped("a", async () => t.n); const b = gather("b", { retries: set(1) }, async () => 7);`,
      ),
      small(
        `const t = { n: 0 }; const set = (n) => { t.n = n; return 1; }; const a = mapped("a", async () => t.n); const b = gather("b", { retries: set(9) }, async () => 7);`,
      ),
      ["a", "b"],
    ],
    [
      "a method that is decorated as TypeScript once did",
      small(
        `function d(p, k) { p[k] = () => 1; } class C { @d m() { return 0; } } const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
        { "tsconfig.json": `{ "compilerOptions": { "experimentalDecorators": true } }` },
      ),
      small(
        `function d(p, k) { p[k] = () => 9; } class C { @d m() { return 0; } } const a = mapped("a", async () => new C().m()); const b = mapped("b", async () => 2);`,
        { "tsconfig.json": `{ "compilerOptions": { "experimentalDecorators": true } }` },
      ),
      ["a"],
    ],
    [
      "what a getter changes",
      small(
        `const t = []; const o = { get x() { t.push(1); return 1; } }; const s = o.x; const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; const o = { get x() { t.push(9); return 1; } }; const s = o.x; const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a conversion to text changes",
      small(
        `const t = []; const o = { toString() { t.push(1); return "x"; } }; const s = String(o); const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; const o = { toString() { t.push(9); return "x"; } }; const s = String(o); const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what an iterator changes",
      small(
        `const t = []; const o = { *[Symbol.iterator]() { t.push(1); } }; const s = [...o]; const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; const o = { *[Symbol.iterator]() { t.push(9); } }; const s = [...o]; const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "what a promise of its own kind changes",
      small(
        `const t = []; const s = await { then(done) { t.push(1); done(); } }; const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const t = []; const s = await { then(done) { t.push(9); done(); } }; const a = mapped("a", async () => t); const b = mapped("b", async () => 2);`,
      ),
      ["a"],
    ],
    [
      "a global that a text of code sets",
      small(
        `const s = Function("globalThis.x = 1")(); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      small(
        `const s = Function("globalThis.x = 9")(); const a = mapped("a", async () => 1); const b = mapped("b", async () => 2);`,
      ),
      ["a", "b"],
    ],
    [
      "a package that isn't installed",
      small(`import { x } from "nowhere"; const a = mapped("a", async () => x); const b = mapped("b", async () => 2);`),
      small(`import { y } from "nowhere"; const a = mapped("a", async () => y); const b = mapped("b", async () => 2);`),
      ["a"],
    ],
  ])("includes %s", async (_, before, after, steps) => {
    expect(await changed(before, after)).toEqual(steps);
  });

  it.each<[what: string, before: Files, after: Files]>([
    [
      "a client that only the other step uses",
      small(
        `import { make } from "leftpad"; const x = make(1); const y = make(2); const a = mapped("a", async () => x); const b = mapped("b", async () => y);`,
      ),
      small(
        `import { make } from "leftpad"; const x = make(1); const y = make(9); const a = mapped("a", async () => x); const b = mapped("b", async () => y);`,
      ),
    ],
    [
      "what a table that only the other step uses holds",
      small(
        `const t = new Map(); t.set("x", 1); const a = mapped("a", async () => 1); const b = mapped("b", async () => t);`,
      ),
      small(
        `const t = new Map(); t.set("x", 9); const a = mapped("a", async () => 1); const b = mapped("b", async () => t);`,
      ),
    ],
    [
      "the other step, where one function makes both",
      small(
        `const step = (name, fn) => mapped(name, { retries: 3 }, fn); const a = step("a", async () => 1); const b = step("b", async () => 2);`,
      ),
      small(
        `const step = (name, fn) => mapped(name, { retries: 3 }, fn); const a = step("a", async () => 1); const b = step("b", async () => 9);`,
      ),
    ],
    [
      "the other step, where both share a client",
      small(
        `import { make } from "leftpad"; const x = make(1); const a = mapped("a", async () => x.a()); const b = mapped("b", async () => x.b());`,
      ),
      small(
        `import { make } from "leftpad"; const x = make(1); const a = mapped("a", async () => x.a()); const b = mapped("b", async () => x.c());`,
      ),
    ],
    [
      "how often the other step is tried, however that is said",
      small(
        `const n = (x) => Math.random() * x; const a = mapped("a", async () => 1); const b = mapped("b", { retries: n(1) }, async () => 2);`,
      ),
      small(
        `const n = (x) => Math.random() * x; const a = mapped("a", async () => 1); const b = mapped("b", { retries: n(3) }, async () => 9);`,
      ),
    ],
    [
      "what is done when the file is run as it is",
      small(
        `import { parse } from "leftpad"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 2); if (import.meta.main) { parse(1); process.exit(1); }`,
      ),
      small(
        `import { parse } from "leftpad"; const a = mapped("a", async () => 1); const b = mapped("b", async () => 9); if (import.meta.main) { parse(9); process.exit(9); }`,
      ),
    ],
    [
      "a client that only the other step uses and the environment configures",
      small(
        `import { make } from "leftpad"; import { readFileSync } from "node:fs"; const y = make(process.env.TOKEN, readFileSync("x"), 1); const a = mapped("a", async () => 1); const b = mapped("b", async () => y);`,
      ),
      small(
        `import { make } from "leftpad"; import { readFileSync } from "node:fs"; const y = make(process.env.TOKEN, readFileSync("x"), 9); const a = mapped("a", async () => 1); const b = mapped("b", async () => y);`,
      ),
    ],
    [
      "a parameter that is called as the other step is",
      small(`const a = mapped("a", async (ctx, b) => b); const b = mapped("b", async () => 1);`),
      small(`const a = mapped("a", async (ctx, b) => b); const b = mapped("b", async () => 9);`),
    ],
  ])("doesn't include %s", async (_, before, after) => {
    expect(await changed(before, after)).toEqual([expect.stringMatching(/^(b|step 1)$/)]);
  });

  it.each<[what: string, before: Files, after: Files]>([
    [
      "options that don't count, where there were none",
      small(`const a = mapped("a", async () => 1); const b = gather("b", async () => 2);`),
      small(`const a = mapped("a", { retries: 2 }, async () => 1); const b = gather("b", {}, async () => 2);`),
    ],
    [
      "the order of declarations that change nothing",
      small(
        `const c = { n: 1 }; const d = [c.n]; const f = () => d; const a = mapped("a", async () => f()); const b = mapped("b", async () => c);`,
      ),
      small(
        `const f = () => d; const c = { n: 1 }; const d = [c.n]; const b = mapped("b", async () => c); const a = mapped("a", async () => f());`,
      ),
    ],
  ])("doesn't include %s", async (_, before, after) => {
    expect(await changed(before, after)).toEqual([]);
  });
});
