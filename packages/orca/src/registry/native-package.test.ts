import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { build, HEAD, project, returned, root, run, TAIL, write, type Files } from "./build.fixture.ts";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));

describe("a package with native code", () => {
  const DUCK = `const a = async () => { const db = await DuckDBInstance.create(":memory:"); const c = await db.connect(); const rows = (await c.runAndReadAll("select 1 as n")).getRowObjects(); return [rows[0].n, c instanceof DuckDBConnection, db instanceof DuckDBInstance]; };`;
  const withDuck = (files: Files) => {
    const folder = project(files);
    symlinkSync(join(repository, "node_modules/@duckdb"), join(folder, "node_modules/@duckdb"));
    return folder;
  };

  it("is loaded when it is first used, from near the file or from where it was built as seen from there", async () => {
    const folder = withDuck({
      "lake.ts": `${HEAD}import { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";\n${DUCK}${TAIL}`,
    });
    const inProject = await build(folder, { native: false });
    expect(inProject.bytes).toBeLessThan(40_000);
    const beside = await build(folder, { native: false, out: join(root, "duck/lake") });
    for (const file of [inProject.out, beside.out]) {
      expect((await run(file, "describe")).printed).toMatchObject([{ loaded: 0 }]);
      expect((await run(file, "run")).printed).toEqual([[1, true, true]]);
    }
  });

  it.each([
    [
      "as the default",
      `import duck from "@duckdb/node-api"; const { DuckDBConnection } = duck, DuckDBInstance = duck.DuckDBInstance;`,
    ],
    ["as a namespace", `import * as duck from "@duckdb/node-api"; const { DuckDBConnection, DuckDBInstance } = duck;`],
    ["dynamically", `const { DuckDBConnection, DuckDBInstance } = await import("@duckdb/node-api");`],
    ["by require", `const { DuckDBConnection, DuckDBInstance } = require("@duckdb/node-api");`],
  ])("can be imported %s", async (_, code) => {
    for (const type of ["module", "commonjs"]) {
      const folder = withDuck({ "lake.ts": HEAD + code + DUCK + TAIL, "package.json": `{ "type": "${type}" }` });
      if (type === "commonjs") write(folder, { "lake.mts": readFileSync(join(folder, "lake.ts"), "utf8") });
      expect((await run((await build(folder, { native: false })).out, "run")).printed).toEqual([[1, true, true]]);
    }
  });

  /** What stands for native code here is a file of that name. */
  const native = (index: string, more = ""): Files => ({
    "node_modules/native/package.json": `{ "name": "native", "version": "1.0.0", "main": "index.js", "exports": { ".": "./index.js", "./sub": "./sub.js" } ${more} }`,
    "node_modules/native/index.js": index,
    "node_modules/native/sub.js": index,
    "node_modules/native/native.node": "",
  });

  it.each<[string, string, Files, unknown]>([
    [
      "a function, by its default",
      `import f from "native"; const a = async () => [f(2), new f.Made(3).n, f instanceof Function];`,
      native(`module.exports = (n) => n * 2; module.exports.Made = class { constructor(n) { this.n = n; } };`),
      [4, 3, true],
    ],
    [
      "a class, by its default",
      `import C from "native"; class D extends C { d = 1; } const a = async () => [new C(2).n, new C(2) instanceof C, new D(3).n, new D(3) instanceof C, C.made(4).n];`,
      native(`module.exports = class C { constructor(n) { this.n = n; } static made(n) { return new C(n); } };`),
      [2, true, 3, true, 4],
    ],
    [
      "a module, by its names and its default",
      `import d, { x } from "native"; import * as all from "native"; const a = async () => [d.x, d.y, x, all.x, all.default.y, "x" in all, "z" in all];`,
      native(`export const x = 1; export default { x: 2, y: 3 };`, `, "type": "module"`),
      [2, 3, 1, 1, 3, true, false],
    ],
    ["a part of a package", `import { x } from "native/sub"; const a = async () => x;`, native(`exports.x = 1;`), 1],
    [
      "of a package that another one depends on",
      `import { y } from "outer"; const a = async () => y;`,
      {
        ...native(`exports.x = 1;`),
        "node_modules/outer/package.json": `{ "name": "outer", "version": "1.0.0", "dependencies": { "native": "1" } }`,
        "node_modules/outer/index.js": `exports.y = require("native").x + 1;`,
      },
      2,
    ],
    [
      "that is found only by what it requires",
      `import { x } from "hidden"; const a = async () => x;`,
      {
        "node_modules/hidden/package.json": `{ "name": "hidden", "version": "1.0.0" }`,
        "node_modules/hidden/index.js": `try { require("./lib/deep/x.node"); } catch { exports.x = 1; }`,
        "node_modules/hidden/lib/deep/x.node": "",
      },
      1,
    ],
    [
      "that awaits at its top level",
      `import { x } from "native"; const a = async () => x;`,
      native(`export const x = await 1;`, `, "type": "module"`),
      {
        error: expect.stringMatching(
          /^the package native 1\.0\.0 in .*node_modules\/native can't be loaded on \w+ \w+: it awaits at its top level, which a built file can't wait for$/,
        ),
        at: "lake.ts:2:51",
      },
    ],
  ])("may be %s", async (_, code, files, expected) => {
    expect(await returned(code, files)).toEqual(expected);
  });

  it.each<[how: string, manifest: string, file: string]>([
    ["a file .node", "", "native.node"],
    ["a main file .node", `, "main": "lib/x.node"`, "lib/x.node"],
    [
      "binary in its package.json, which says where to get it",
      `, "binary": { "host": "https://example.com" }`,
      "a.txt",
    ],
    ["binding.gyp", "", "binding.gyp"],
    ["prebuilds", "", "prebuilds/linux-x64/x.bin"],
    ["build/Release", "", "build/Release/x.bin"],
  ])("is known by %s, and stays outside", async (_, manifest, file) => {
    const folder = project({
      "lake.ts": `${HEAD}import { x } from "odd"; const a = async () => x;${TAIL}`,
      "node_modules/odd/package.json": `{ "name": "odd", "version": "1.0.0" ${manifest} }`,
      "node_modules/odd/index.js": "exports.x = 'text in the package';",
      [`node_modules/odd/${file}`]: "",
    });
    const text = readFileSync((await build(folder)).out, "utf8");
    expect(text).toContain(`"name":"odd"`);
    expect(text).not.toContain("text in the package");
  });

  it("that isn't there, or in another version, is named with a remedy", async () => {
    const folder = project({
      "lake.ts": `${HEAD}import { x } from "native";\nconst a = async () => x;${TAIL}`,
      ...native("exports.x = 1;"),
    });
    const { out } = await build(folder, { native: false });
    const manifest = join(folder, "node_modules/native/package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("1.0.0", "2.0.0"));
    const needs = `${out} needs the package native 1.0.0, which has native code and isn't in the file, and`;
    const remedy = `run npm install native@1.0.0 in ${dirname(out)} or a folder above it`;
    const at = "lake.ts:3:23";
    expect((await run(out, "run")).printed).toEqual([
      { error: `${needs} 2.0.0 is installed in ${dirname(manifest)}: ${remedy}`, at },
    ]);
    rmSync(dirname(manifest), { recursive: true });
    expect((await run(out, "run")).printed).toEqual([{ error: `${needs} it isn't installed: ${remedy}`, at }]);
    expect((await run(out, "describe")).code).toBe(0);
  });
});
