import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { build, HEAD, ORCA, project, returned, run, TAIL, write } from "./build.fixture.ts";

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

  it("has texts as they were written, and is of ASCII alone", async () => {
    const code = `const raw = (parts: TemplateStringsArray) => [parts[0], parts.raw[0]];
      const größe = 1, 𝒙 = 2; /* über */
      const a = async () => [größe + 𝒙 /* größer */, "é😀", \`ü\u2028\`, raw\`ß\\n\`, String.raw\`\\é\`, /[à-é]+/u.exec("xäx")?.[0], "\uD800".length]; //! © Ünal`;
    const folder = project({ "lake.ts": HEAD + code + TAIL });
    const { out } = await build(folder);
    expect((await run(out, "run")).printed[0]).toEqual([3, "é😀", "ü\u2028", ["ß\n", "ß\\n"], "\\é", "ä", 1]);
    expect(readFileSync(out, "latin1")).not.toMatch(/[^\0-\x7f]/);
  });

  it("knows the file that it is in", async () => {
    const code = `import { here } from "./c.cjs";
      const a = async () => ({ url: import.meta.url, filename: import.meta.filename, main: import.meta.main, here, resolved: [import.meta.resolve("./x"), import.meta.resolve("node:fs"), import.meta.resolve("side/file.js")] });`;
    const more = {
      "c.cjs": "exports.here = [__filename, __dirname];",
      "node_modules/side/package.json": `{ "name": "side", "version": "1.0.0" }`,
      "node_modules/side/file.js": "",
    };
    const folder = project({ "lake.ts": HEAD + code + TAIL, ...more });
    const file = join(folder, "build/lake");
    await build(folder);
    expect((await run(file, "run")).printed[0]).toEqual({
      url: `file://${file}`,
      filename: file,
      main: false,
      here: [file, dirname(file)],
      resolved: [`file://${folder}/build/x`, "node:fs", `file://${folder}/node_modules/side/file.js`],
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
