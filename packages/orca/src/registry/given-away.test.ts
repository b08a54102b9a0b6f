import { describe, expect, it } from "vitest";
import { changedSteps, type Change } from "./changed-steps.fixture.ts";

describe("what may change globals and packages counts for every step:", () => {
  it.each<Change>([
    ["a global that is set", `process.env["TZ"] = "«UTC→CET»"; const a = mapped("a", async () => 1);`, ["a", "b"]],
    [
      "a global that a function sets",
      `function start() { process.env["TZ"] = "«UTC→CET»"; return 1; } const x = start(); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "a global that is set by another name",
      `const env = process.env; env["TZ"] = "«UTC→CET»"; const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "a global that is set by a part of it",
      `const { env } = process; function set() { const e = env; e.TZ = "«UTC→CET»"; } set(); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "a global that a function is given",
      `function set(e) { e.TZ = "«UTC→CET»"; } set(process.env); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    ["a global function that is replaced", `Date.now = () => «1→9»; const a = mapped("a", async () => 1);`, ["a", "b"]],
    [
      "a package that is configured",
      `import { configure } from "leftpad"; configure(«1→9»); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "a module that is imported for its effects",
      `import "./lib.ts"; const a = mapped("a", async () => 1);`,
      ["a", "b"],
      { "lib.ts": `globalThis.x = «1→9»;` },
    ],
    [
      "a method that is patched by an instance",
      `class C { m() { return 0; } } const c = new C(); c.constructor.prototype.m = () => «1→9»; const a = mapped("a", async () => new C().m());`,
      ["a", "b"],
    ],
    [
      "a prototype that is patched by an instance",
      `class C { m() { return 0; } } const c = new C(); Object.getPrototypeOf(c).m = () => «1→9»; const a = mapped("a", async () => new C().m());`,
      ["a", "b"],
    ],
    [
      "a global that a function patches",
      `function patch(m) { m.random = () => «1→9»; } patch(Math); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "a global prototype that a function extends",
      `function extend(p) { p.x = «1→9»; } extend(Array.prototype); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "an object of a package that a function changes",
      `import { client } from "leftpad"; function setup(c) { c.x = «1→9»; return 1; } const done = setup(client); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "the environment that is assigned to for a value",
      `const config = Object.assign(process.env, { X: "«1→9»" }); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "the environment that Reflect sets",
      `const done = Reflect.set(process.env, "X", "«1→9»"); const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "a variable of the environment that is deleted for a value",
      `const done = delete process.env.«X1→X9»; const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "the environment that a function returns",
      `const env = () => process.env; env().X = "«1→9»"; const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "the environment that is in a list",
      `for (const e of [process.env]) e.X = "«1→9»"; const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
    [
      "the environment that is in an object",
      `const o = { env: process.env }; o.env.X = "«1→9»"; const a = mapped("a", async () => 1);`,
      ["a", "b"],
    ],
  ])("%s", async (_, code, steps, more) => {
    expect(await changedSteps(code, more)).toEqual(steps);
  });
});

it.each([
  [
    "by name",
    `import { promisify } from "node:util"; import { exec, execFile } from "node:child_process"; const run = promisify(«exec→execFile»);`,
  ],
  [
    "by its module",
    `import * as util from "util"; import child from "child_process"; const run = util.promisify(child.«exec→execFile»);`,
  ],
  [
    "by its module's default",
    `import util from "node:util"; import { exec, execFile } from "node:child_process"; const run = util.promisify(«exec→execFile»);`,
  ],
])(
  "a function of a package's that Node's promisify is given, %s, counts where the promise is awaited",
  async (_, code) => {
    const steps = `const a = mapped("a", async () => 1); const b = mapped("b", async () => await run("x"));`;
    expect(await changedSteps(`${code} ${steps}`)).toEqual(["b"]);
  },
);

it("a function of a package's that another promisify is given counts for every step", async () => {
  const code = `import { promisify } from "leftpad"; import { exec, execFile } from "node:child_process"; const run = promisify(«exec→execFile»);`;
  expect(await changedSteps(`${code} const a = mapped("a", async () => 1);`)).toEqual(["a", "b"]);
});

// docs/adr/0003 says so to those who write pipelines
it.each([
  [
    "what a package's function changes besides the value that it returns",
    `import { connect } from "leftpad"; const db = connect(«1→9»); const a = mapped("a", async () => 1);`,
  ],
  [
    "what is changed of an object that a package gives twice, in making a value",
    `import { client } from "leftpad"; const setUp = (c) => { c.n = «1→9»; return c; }; const ready = setUp(client()); const a = mapped("a", async () => client().n);`,
  ],
])("not seen is %s", async (_, code) => {
  expect(await changedSteps(code)).toEqual([]);
});

it("a file that a package.json says has no side effects is no part of the code", async () => {
  const files = { "lib.ts": "globalThis.x = «1→9»;", "package.json": `{ "sideEffects": false }` };
  expect(await changedSteps(`import "./lib.ts"; const a = mapped("a", async () => 1);`, files)).toEqual([]);
});
