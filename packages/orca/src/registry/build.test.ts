import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { buildPipeline, type BuildOptions, type BuildResult } from "./build.ts";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "orca-build-")));
afterAll(() => rmSync(root, { recursive: true }));

type Files = Readonly<Record<string, string>>;

function write(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** An orcajs whose program prints what its first argument asks for: `built`, `describe`, or `run` with what the steps return. */
const ORCA: Files = {
  "package.json": `{ "name": "orcajs", "version": "0.1.0", "type": "module", "sideEffects": false, "exports": { ".": "./index.js", "./program": "./program.js" }, "dependencies": { "@duckdb/node-api": "*" } }`,
  "index.js": `export const mapped = (name, fn) => ({ name, fn });
    export const pipeline = (name, { steps }) => { if (steps.length === 0) throw Object.assign(new Error("a pipeline has steps"), { code: "invalid-pipeline" }); return { name, steps, isOurs }; };
    export const monthly = (start) => ({ start });
    const isOurs = Symbol("only known here");
    export const isPipeline = (p) => p?.isOurs === isOurs;`,
  "program.js": `import { isPipeline } from "orcajs";
    import { positionOf, builtFile } from ${JSON.stringify(join(here, "position.ts"))};
    import { readFileSync as read } from "node:fs";
    import * as path from "node:path";
    export async function runProgram(pipeline, built) {
      const loaded = Object.keys(process.getBuiltinModule("node:module")._cache).filter((f) => /duckdb|native/.test(f)).length;
      const say = (value) => console.log(JSON.stringify(value));
      if (process.argv[2] === "built") say(built);
      else if (process.argv[2] === "describe") say({ name: pipeline.name, isPipeline: isPipeline(pipeline), loaded, file: builtFile(), read: read(builtFile(), "utf8").slice(0, 2), join: path.join("a", "b") });
      else for (const step of pipeline.steps) {
        try { say(await step.fn({}, process.argv[3]) ?? null); } catch (error) { say({ error: error.message, at: positionOf(error) ?? null }); }
      }
    }`,
};

let projects = 0;
/** A folder with a pipeline and its packages. */
function project(files: Files, orca = ORCA): string {
  const folder = write(join(root, `project-${++projects}`), { "package.json": `{ "type": "module" }`, ...files });
  write(join(folder, "node_modules/orcajs"), orca);
  return folder;
}

const HEAD = `import { mapped, monthly, pipeline } from "orcajs";\n`;
const TAIL = `\nexport default pipeline("p", { steps: [mapped("a", a)], partitions: monthly("2024-01") });\n`;

async function build(folder: string, options: Partial<BuildOptions> = {}): Promise<BuildResult> {
  return await buildPipeline({ file: "lake.ts", out: "build/lake", folder, check: false, ...options });
}

interface Ran {
  readonly code: number;
  readonly printed: readonly unknown[];
  readonly complained: string;
}

async function run(file: string, ...words: string[]): Promise<Ran> {
  return await new Promise((resolve) => {
    execFile(process.execPath, [file, ...words], (error, stdout, complained) => {
      const lines = stdout.split("\n").filter((line) => line !== "");
      resolve({
        code: error === null ? 0 : Number(error.code),
        printed: lines.map((line) => JSON.parse(line) as unknown),
        complained,
      });
    });
  });
}

/** Builds a pipeline whose one step is the function `a` of the code, and gives what that returns when it is run. */
async function returned(code: string, more: Files = {}): Promise<unknown> {
  const folder = project({ "lake.ts": HEAD + code + TAIL, ...more });
  const { out } = await build(folder);
  const { printed, complained } = await run(out, "run", "k");
  return printed[0] ?? complained;
}

describe("a built file", () => {
  it("is executable, and runs wherever it is put", async () => {
    const folder = project({ "lake.ts": `${HEAD}const a = async () => import.meta.dirname;${TAIL}` });
    const { out, bytes } = await build(folder);
    expect(out).toBe(join(folder, "build/lake"));
    expect(statSync(out).mode & 0o777).toBe(0o755);
    expect(statSync(out).size).toBe(bytes);
    expect(readFileSync(out, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    for (const [name, manifest] of [
      ["module", `{ "type": "module" }`],
      ["commonjs", `{ "type": "commonjs" }`],
      ["none", "{}"],
    ]) {
      const elsewhere = write(join(root, `elsewhere/${name}`), { "package.json": manifest! });
      cpSync(out, join(elsewhere, "lake"));
      symlinkSync(join(elsewhere, "lake"), join(elsewhere, "link"));
      for (const file of ["lake", "link"]) {
        expect(await run(join(elsewhere, file), "describe")).toEqual({
          code: 0,
          complained: "",
          printed: [{ name: "p", isPipeline: true, loaded: 0, file: join(elsewhere, "lake"), read: "#!", join: "a/b" }],
        });
      }
      expect((await run(join(elsewhere, "lake"), "run")).printed).toEqual([elsewhere]);
    }
    const direct = await new Promise<string>((resolve) => execFile(out, ["describe"], (_, stdout) => resolve(stdout)));
    expect(direct).toContain(`"name":"p"`);
  });

  it("takes the place of an older one, and leaves nothing beside it", async () => {
    const folder = project({ "lake.ts": `${HEAD}const a = async () => 1;${TAIL}` });
    const { out } = await build(folder);
    const { ino } = statSync(out);
    write(folder, { "lake.ts": `${HEAD}const a = async () => 2;${TAIL}` });
    await build(folder);
    expect(statSync(out).ino).not.toBe(ino);
    expect((await run(out, "run")).printed).toEqual([2]);
    expect(readdirSync(dirname(out))).toEqual(["lake"]);
  });

  it("knows what code it is, and where that is", async () => {
    const folder = project({ "lake.ts": `${HEAD}const a = async () => 1;${TAIL}` });
    const { out, built } = await build(folder, {
      source: { repository: "git@github.com:a/b.git", commit: "c0ffee", dirty: false },
    });
    expect(built).toEqual({
      format: 1,
      orca: "0.1.0",
      registry: {
        pipeline: "p",
        hash: expect.stringMatching(/^0x[0-9a-f]{16}$/),
        complete: true,
        steps: [{ name: "a", kind: "mapped", hash: expect.any(String), own: expect.any(String), packages: [] }],
        tasks: [],
      },
      source: {
        repository: "https://github.com/a/b",
        commit: "c0ffee",
        dirty: false,
        locations: { pipeline: { file: "lake.ts", line: 3 }, steps: { a: { file: "lake.ts", line: 3 } }, tasks: {} },
      },
    });
    expect((await run(out, "built")).printed).toEqual([built]);
  });

  it("is the same for the same code", async () => {
    const folder = project({ "lake.ts": `${HEAD}import fs from "node:fs"; const a = async () => typeof fs;${TAIL}` });
    const first = readFileSync((await build(folder)).out, "utf8");
    expect(readFileSync((await build(folder)).out, "utf8")).toBe(first);
  });

  it("is the same wherever it was built, also with packages and files that stay outside of it", async () => {
    const files = {
      "lake.ts": `${HEAD}import { x } from "native"; const a = async () => [x, require("./own.node")];${TAIL}`,
      "own.node": "",
      "node_modules/native/package.json": `{ "name": "native", "version": "1.0.0" }`,
      "node_modules/native/index.js": "exports.x = 1;",
      "node_modules/native/native.node": "",
    };
    const texts = await Promise.all(
      [project(files), project(files)].map(async (folder) => readFileSync((await build(folder)).out, "utf8")),
    );
    expect(texts[0]).toContain('"native"');
    expect(texts[1]).toBe(texts[0]);
  });
});

describe("code in a built file", () => {
  it("imports modules of Node's in every way", async () => {
    const code = `import fs, { readFileSync as read, constants } from "fs"; import * as path from "node:path"; import { default as url } from "node:url"; import events, * as all from "node:events"; import "node:dns"; import c from "./c.cjs";
      const a = async () => [typeof fs.readFileSync, read === fs.readFileSync, typeof constants, path.basename("x/y"), path.default.sep, typeof url.fileURLToPath, typeof events, all.default === events,
        (await import("node:os")).EOL, typeof require("crypto").createHash, typeof c.fs.readFileSync, "import x from 'node:fs'"];`;
    const c = `exports.fs = require("fs"); exports.here = [__filename, __dirname];`;
    expect(await returned(code, { "c.cjs": c })).toEqual([
      "function", true, "object", "y", "/", "function", "function", true, "\n", "function", "function", "import x from 'node:fs'",
    ]); // prettier-ignore
  });

  it("keeps imports of Node's in text as they are", async () => {
    const code = 'const text = `\nimport x from "node:fs";\nimport "node:os";\n`; const a = async () => text;';
    expect(await returned(code)).toBe('\nimport x from "node:fs";\nimport "node:os";\n');
  });

  it("knows the file that it is in", async () => {
    const code = `import { here } from "./c.cjs";
      const a = async () => ({ url: import.meta.url, filename: import.meta.filename, main: import.meta.main, here, resolved: [import.meta.resolve("./x"), import.meta.resolve("node:fs"), import.meta.resolve("side/file.js")] });`;
    const more = {
      "c.cjs": "exports.here = [__filename, __dirname];",
      "node_modules/side/package.json": `{ "name": "side", "version": "1.0.0" }`,
      "node_modules/side/file.js": "",
    };
    const file = join(root, `project-${projects + 1}`, "build/lake");
    expect(await returned(code, more)).toEqual({
      url: `file://${file}`,
      filename: file,
      main: false,
      here: [file, dirname(file)],
      resolved: [`file://${dirname(file)}/x`, "node:fs", `file://${dirname(dirname(file))}/node_modules/side/file.js`],
    });
  });

  it("may await at its top level", async () => {
    expect(await returned(`const n = await Promise.resolve(3); const a = async () => n;`)).toBe(3);
  });

  it("has the packages, data and modules that it imports", async () => {
    const code = `import { pad } from "leftpad"; import data from "./data.json" with { type: "json" }; import text from "./q.sql" with { type: "text" };
      enum E { X = 4 } namespace N { export const y = 5; }
      const a = async () => [pad("x"), data.n, text, E.X, N.y, (await import("./lib.ts")).z];`;
    const more = {
      "node_modules/leftpad/package.json": `{ "name": "leftpad", "version": "1.0.0", "main": "index.js" }`,
      "node_modules/leftpad/index.js": "exports.pad = (s) => s.padStart(2);",
      "data.json": `{ "n": 1 }`,
      "q.sql": "select 1",
      "lib.ts": "export const z = 6;",
    };
    const folder = project({ "lake.ts": HEAD + code + TAIL, ...more });
    const { out } = await build(folder);
    rmSync(join(folder, "node_modules"), { recursive: true });
    expect((await run(out, "run")).printed).toEqual([[" x", 1, "select 1", 4, 5, 6]]);
  });

  it("has the calls that a comment says can be dropped: the hash doesn't tell them apart", async () => {
    const code = (mark: string) =>
      `let n = 0; function set() { n = 1; }\n/* ${mark} */ set();\nconst a = async () => n;`;
    expect(await returned(code("@__PURE__"))).toBe(1);
    expect(await returned(code("#__PURE__ @__PURE__"))).toBe(1);
    expect(
      await returned(`let n = 0; // @__NO_SIDE_EFFECTS__\nfunction set() { n = 1; }\nset(); const a = async () => n;`),
    ).toBe(1);
  });

  it("is strict, and sees no names of the file's own", async () => {
    expect(
      await returned(
        `import __orca from "node:fs"; const __orca2 = 2; const a = async () => { "use x"; return [typeof __orca.readFileSync, __orca2, (function () { return this; })() === undefined]; };`,
      ),
    ).toEqual(["function", 2, true]);
  });

  it("shares one Orca with all that it imports", async () => {
    const folder = project({
      "lake.ts": `import p from "@lake/shared"; export default p;`,
      "shared/index.ts": `${HEAD}const a = async () => 1;${TAIL}`,
      "shared/package.json": `{ "name": "@lake/shared", "exports": "./index.ts" }`,
    });
    mkdirSync(join(folder, "node_modules/@lake"));
    symlinkSync(join(folder, "shared"), join(folder, "node_modules/@lake/shared"));
    write(join(folder, "shared/node_modules/orcajs"), ORCA);
    expect((await run((await build(folder)).out, "describe")).printed).toMatchObject([{ isPipeline: true }]);
  });
});

describe("an error", () => {
  it("of a step has its place in the source", async () => {
    const folder = project({
      "lake.ts": `${HEAD}import { deep } from "./lib/deep.ts";\nimport { inPackage } from "thrower";\nconst a = async () => deep(1);\nconst b = async () => {\n  const text: string = "é";   throw new TypeError(text);\n};\nexport default pipeline("p", { steps: [mapped("a", a), mapped("b", b), mapped("c", async () => inPackage()), mapped("d", async () => JSON.parse("{"))], partitions: monthly("2024-01") });\n`,
      "lib/deep.ts": `interface X { readonly x: number }\n\nexport function deep(n: number): X {\n  throw new Error(\`no \${n}\`);\n}\n`,
      "node_modules/thrower/package.json": `{ "name": "thrower", "version": "1.0.0", "type": "module", "exports": "./index.js" }`,
      "node_modules/thrower/index.js": `export function inPackage() { throw new Error("thrown"); }`,
    });
    const { out } = await build(folder);
    const moved = join(
      write(join(root, "moved to (another) place"), { "package.json": `{ "type": "module" }` }),
      "lake",
    );
    cpSync(out, moved);
    const link = join(root, "link");
    symlinkSync(moved, link);
    for (const file of [out, moved, link]) {
      expect((await run(file, "run")).printed).toEqual([
        { error: "no 1", at: "lib/deep.ts:4:9" },
        { error: "é", at: "lake.ts:6:37" },
        { error: "thrown", at: "lake.ts:8:96" },
        { error: expect.stringContaining("JSON"), at: "lake.ts:8:139" },
      ]);
    }
  });

  it.each([
    [
      "a TypeError",
      "const n: any = undefined;\nn.x;",
      "lake.ts:3:3: TypeError: Cannot read properties of undefined (reading 'x')\n",
    ],
    [
      "an error of Orca's",
      `export const bad = pipeline("p", { steps: [], partitions: monthly("2024-01") });`,
      "lake.ts:2:20: a pipeline has steps\n",
    ],
    ["what isn't an error", `throw "no";`, "it threw the text 'no'\n"],
    ["an error without a message", "throw new Error();", "lake.ts:2:7: an error without a message\n"],
    ["what has no prototype", "throw Object.create(null);", "it threw an object\n"],
    [
      "nothing, but never ends",
      "await new Promise(() => {});",
      "error: the process ended before the pipeline's file was loaded\n",
    ],
    ["nothing, but exits", "process.exit(0);", "error: the process ended before the pipeline's file was loaded\n"],
    ["a rejection", `await Promise.reject(new Error("late"));`, "lake.ts:2:22: late\n"],
    ["one that leaves something running", `setInterval(() => {}, 1000); throw new Error("no");`, "lake.ts:2:36: no\n"],
  ])("when it is loaded is a sentence, and the exit code of an invalid pipeline: %s", async (_, code, sentence) => {
    const folder = project({ "lake.ts": `${HEAD}${code}\nconst a = async () => 1;${TAIL}` });
    expect(await run((await build(folder)).out, "describe")).toEqual({ code: 2, printed: [], complained: sentence });
  });
});

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
    const inProject = await build(folder);
    expect(inProject.bytes).toBeLessThan(20_000);
    const beside = await build(folder, { out: join(root, "duck/lake") });
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
      expect((await run((await build(folder)).out, "run")).printed).toEqual([[1, true, true]]);
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

  it("that isn't there, or in another version, is named with a remedy", async () => {
    const folder = project({
      "lake.ts": `${HEAD}import { x } from "native";\nconst a = async () => x;${TAIL}`,
      ...native("exports.x = 1;"),
    });
    const { out } = await build(folder);
    const manifest = join(folder, "node_modules/native/package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("1.0.0", "2.0.0"));
    const needs = `${out} needs the package native 1.0.0, which has native code and so isn't in the file, and`;
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

describe("a build is refused", () => {
  const lake = (text: string): Files => ({ "lake.ts": text });
  it.each<[string, Files, Partial<BuildOptions>, string]>([
    [
      "without a default export",
      lake("export const a = 1;"),
      {},
      "lake.ts has no default export: end it with export default pipeline(…)",
    ],
    ["of a file that isn't there", lake(""), { file: "nowhere.ts" }, "there is no file nowhere.ts"],
    ["of a folder", lake(""), { file: "." }, ". is a folder: give the pipeline's file"],
    [
      "of another kind of file",
      { ...lake(""), "lake.txt": "" },
      { file: "lake.txt" },
      "lake.txt isn't TypeScript or JavaScript: its name must end in .ts, .mts, .cts, .tsx, .js, .mjs, .cjs, .jsx",
    ],
    ["with a syntax error", lake("export default 1;\nconst é = 'é'; const x = ;"), {}, `lake.ts:2:26: Unexpected ";"`],
    [
      "in several places",
      lake(`import "./x.ts";\nimport y from "leftpad/y";\nimport z from "leftpad";\nexport default [y, z];`),
      {},
      "lake.ts:1:8: there is no file ./x.ts\nlake.ts:2:15: the package leftpad isn't installed: run npm install leftpad\nlake.ts:3:15: the package leftpad isn't installed: run npm install leftpad",
    ],
    [
      "where a part has a syntax error",
      { ...lake(`export { default } from "./lib/x.ts";`), "lib/x.ts": "let 1;" },
      {},
      `lib/x.ts:1:5: Expected ";" but found "1"`,
    ],
    [
      "over the pipeline's own file",
      lake(""),
      { out: "lake.ts" },
      "lake.ts is the pipeline's own file: write the build to another",
    ],
    [
      "over a folder",
      { ...lake("export default 1;"), "build/x": "" },
      { out: "build" },
      "build is a folder: give the file to write, such as build/lake",
    ],
  ])("%s", async (_, files, options, message) => {
    const folder = project(files);
    await expect(build(folder, options)).rejects.toThrow(expect.objectContaining({ code: "build-failed", message }));
    expect(existsSync(join(folder, "build/lake"))).toBe(false);
  });

  it("where orcajs isn't installed", async () => {
    const folder = write(join(root, "no-orca"), lake("export default 1;"));
    await expect(build(folder)).rejects.toThrow(
      expect.objectContaining({
        code: "build-failed",
        message: "the package orcajs isn't installed: run npm install orcajs",
      }),
    );
    write(folder, lake(`${HEAD}export default pipeline;`));
    await expect(build(folder)).rejects.toThrow(
      "lake.ts:1:43: the package orcajs isn't installed: run npm install orcajs",
    );
  });

  it("where it can't be written", async () => {
    const folder = project({ ...lake("export default 1;"), build: "a file" });
    await expect(build(folder, { out: "build/lake" })).rejects.toThrow(
      /build\/lake can't be written: .*(EEXIST|ENOTDIR)/,
    );
  });

  it("once it is aborted", async () => {
    const folder = project(lake("export default 1;"));
    await expect(build(folder, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });
});
