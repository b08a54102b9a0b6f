import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { namedHashes, type Registry } from "./built.ts";
import { readRegistry } from "./registry.ts";

type Files = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "orca-declared-"));
afterAll(() => rmSync(folder, { recursive: true }));
const P = "pipeline.ts";

function write(files: Files): string {
  const at = mkdtempSync(join(folder, "x"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  return at;
}

async function registryOf(files: Files): Promise<Registry> {
  return (await readRegistry({ file: join(write(files), P) })).registry;
}

describe("the steps of a pipeline are found", () => {
  const declared = `import { gather, mapped, monthly, pipeline } from "orcajs"; const options = { retries: 1 };
    const a = mapped("a", async () => 1); const b = mapped("b", { after: a, ...options }, async () => 2); const partitions = monthly("2024-01");`;
  it.each([
    ["in a variable", `const steps = [a, b]; export default pipeline("p", { steps, partitions });`],
    ["spread", `const first = [a]; export default pipeline("p", { steps: [...first, b], partitions });`],
    [
      "written where they are listed",
      `export default pipeline("p", { steps: [mapped("a", async () => 1), gather("b", async () => 2)], partitions });`,
    ],
    [
      "in options that are a variable",
      `const options2 = { steps: [a, b], partitions }; export default pipeline("p", options2);`,
    ],
    [
      "in options that spread others",
      `const common = { partitions, steps: [a] }; export default pipeline("p", { ...common, steps: [a, b] });`,
    ],
    [
      "in what options spread",
      `const common = { steps: [a, b] }; export default pipeline("p", { partitions, ...common });`,
    ],
    [
      "in a property of a variable",
      `const common = { steps: [a, b] }; export default pipeline("p", { partitions, steps: common.steps });`,
    ],
    ["behind a variable that is exported", `const p = pipeline("p", { steps: [a, b], partitions }); export default p;`],
    ["behind an export list", `const p = pipeline("p", { steps: [a, b], partitions }); export { p as default };`],
    [
      "with names in variables",
      `const name = "a"; const c = mapped(name, async () => 1); export default pipeline("p", { steps: [c, b], partitions });`,
    ],
  ])("%s", async (_, code) => {
    const registry = await registryOf({ [P]: `${declared}\n${code}` });
    expect(registry.steps.map((s) => s.name)).toEqual(["a", "b"]);
    expect(registry).toMatchObject({ pipeline: "p", complete: true });
  });

  it("in other modules, and in packages of the workspace", async () => {
    const at = write({
      [P]: `import { monthly, pipeline } from "orcajs"; import { a, b } from "./steps/index.ts"; import { c } from "#lib"; import { d } from "@lake/shared"; import { e } from "~/e.ts";
        export default pipeline("p", { steps: [a, b, c, d, e], partitions: monthly("2024-01") });`,
      "package.json": `{ "type": "module", "imports": { "#lib": "./lib/c.ts" } }`,
      "tsconfig.json": `{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }`,
      "steps/index.ts": `export { a } from "./a.ts"; export * from "./b.ts";`,
      "steps/a.ts": `import { mapped } from "orcajs"; export const a = mapped("a", async () => 1);`,
      "steps/b.ts": `import { mapped as m } from "orcajs"; export const b = m("b", async () => 1);`,
      "lib/c.ts": `import { mapped } from "orcajs"; export const c = mapped("c", async () => 1);`,
      "src/e.ts": `import { mapped } from "orcajs"; export const e = mapped("e", async () => 1);`,
      "shared/package.json": `{ "name": "@lake/shared", "version": "1.0.0", "exports": "./d.ts" }`,
      "shared/d.ts": `import { mapped } from "orcajs"; export const d = mapped("d", async () => 1);`,
    });
    mkdirSync(join(at, "node_modules/@lake"), { recursive: true });
    symlinkSync(join(at, "shared"), join(at, "node_modules/@lake/shared"));
    const { registry, locations, files } = await readRegistry({ file: join(at, P), root: at });
    expect(registry.steps.map((s) => s.name)).toEqual(["a", "b", "c", "d", "e"]);
    expect(locations.steps).toEqual({
      a: { file: "steps/a.ts", line: 1 },
      b: { file: "steps/b.ts", line: 1 },
      c: { file: "lib/c.ts", line: 1 },
      d: { file: "shared/d.ts", line: 1 },
      e: { file: "src/e.ts", line: 1 },
    });
    expect(files).toHaveLength(7);
  });

  it("outside of the repository, without a location", async () => {
    const at = write({
      "repository/pipeline.ts": `import { mapped, monthly, pipeline } from "orcajs"; import { a } from "../beside.ts";
        const b = mapped("b", async () => 1);
        export default pipeline("p", { steps: [a, b], partitions: monthly("2024-01") });`,
      "beside.ts": `import { mapped } from "orcajs"; export const a = mapped("a", async () => 1);`,
    });
    const root = join(at, "repository");
    const { registry, locations } = await readRegistry({ file: join(root, P), root });
    expect(registry.steps.map((s) => s.name)).toEqual(["a", "b"]);
    expect(locations.steps).toEqual({ b: { file: "pipeline.ts", line: 2 } });
  });

  it("by their place, where their names are made", async () => {
    const code = (n: number): Files => ({
      [P]: `import { mapped, monthly, pipeline } from "orcajs";
        const step = (n, fn) => mapped("step" + n, fn); const a = step(1, async () => 1); const b = step(2, async () => ${n});
        export default pipeline("p", { steps: [a, b], partitions: monthly("2024-01") });`,
    });
    const registry = await registryOf(code(2));
    expect(registry).toMatchObject({ complete: true, steps: [{ name: "" }, { name: "" }] });
    const [a, b] = registry.steps.map((s) => s.hash);
    expect(namedHashes(registry, ["step1", "step2"], []).steps).toEqual([
      { name: "step1", hash: a },
      { name: "step2", hash: b },
    ]);
    const [a2, b2] = (await registryOf(code(9))).steps.map((s) => s.hash);
    expect([a2 === a, b2 === b]).toEqual([true, false]);
  });
});

describe("where the code doesn't say which steps there are, all of them have the pipeline's hash, which changes with", () => {
  const head = `import * as orca from "orcajs"; import { mapped, monthly, pipeline } from "orcajs"; const partitions = monthly("2024-01");`;
  it.each([
    [
      "a loop",
      (n: number) =>
        `const steps = []; for (const name of ["a", "b"]) steps.push(mapped(name, async () => ${n})); export default pipeline("p", { steps, partitions });`,
    ],
    [
      "a list that is mapped",
      (n: number) =>
        `export default pipeline("p", { steps: ["a", "b"].map((name) => mapped(name, async () => ${n})), partitions });`,
    ],
    [
      "a function",
      (n: number) =>
        `const make = () => [mapped("a", async () => ${n})]; export default pipeline("p", { steps: make(), partitions });`,
    ],
    [
      "a list that is pushed to",
      (n: number) =>
        `const steps = [mapped("a", async () => 1)]; steps.push(mapped("b", async () => ${n})); export default pipeline("p", { steps, partitions });`,
    ],
    [
      "a list that another variable pushes to",
      (n: number) =>
        `const steps = [mapped("a", async () => 1)]; const all = { steps }; all.steps.push(mapped("b", async () => ${n})); export default pipeline("p", { ...all, partitions });`,
    ],
    [
      "a list that a function gets",
      (n: number) =>
        `const steps = [mapped("a", async () => 1)]; function more(s) { s.push(mapped("b", async () => ${n})); } more(steps); export default pipeline("p", { steps, partitions });`,
    ],
    [
      "options that are changed",
      (n: number) =>
        `const options = { steps: [mapped("a", async () => 1)], partitions }; options.steps = [mapped("b", async () => ${n})]; export default pipeline("p", options);`,
    ],
    [
      "a list that is assigned",
      (n: number) =>
        `let steps = [mapped("a", async () => 1)]; steps = [mapped("b", async () => ${n})]; export default pipeline("p", { steps, partitions });`,
    ],
    [
      "a choice",
      (n: number) =>
        `const a = mapped("a", async () => ${n}); export default pipeline("p", { steps: process.env["X"] ? [a] : [], partitions });`,
    ],
    [
      "a pipeline that a function makes",
      (n: number) =>
        `const make = (fn) => pipeline("p", { steps: [mapped("a", fn)], partitions }); export default make(async () => ${n});`,
    ],
    [
      "a pipeline that a promise gives",
      (n: number) =>
        `export default await Promise.resolve(pipeline("p", { steps: [mapped("a", async () => ${n})], partitions }));`,
    ],
    [
      "a spread that is unknown",
      (n: number) =>
        `const more = () => ({ steps: [mapped("a", async () => ${n})] }); export default pipeline("p", { steps: [], partitions, ...more() });`,
    ],
    [
      "a computed option",
      (n: number) =>
        `const key = "steps"; export default pipeline("p", { partitions, steps: [], [key]: [mapped("a", async () => ${n})] });`,
    ],
    [
      "Orca taken apart",
      (n: number) =>
        `const { mapped: m } = orca; const { pipeline: p } = orca; export default p("p", { steps: [m("a", async () => ${n})], partitions });`,
    ],
    [
      "Orca required",
      (n: number) =>
        `const o = require("orcajs"); export default o.pipeline("p", { steps: [o.mapped("a", async () => ${n})], partitions });`,
    ],
    [
      "a direct eval",
      (n: number) =>
        `const n = ${n}; export default pipeline("p", { steps: [mapped("a", async () => eval("n"))], partitions });`,
    ],
    [
      "code nested too deep to be followed",
      (n: number) =>
        `export default pipeline("p", { steps: [mapped("a", async () => ${Array(30_000).fill("x()").join(" + ")} + ${n})], partitions }); const x = () => 1;`,
    ],
  ])("%s", async (_, code) => {
    const [before, after] = [await registryOf({ [P]: head + code(1) }), await registryOf({ [P]: head + code(9) })];
    expect(before.complete).toBe(false);
    expect(namedHashes(before, ["a"], []).steps).toEqual([{ name: "a", hash: before.hash }]);
    expect(after.hash).not.toBe(before.hash);
    expect((await registryOf({ [P]: head + code(1) })).hash).toBe(before.hash);
  });

  it("a CommonJS pipeline", async () => {
    const text = (n: number) =>
      `const { mapped, monthly, pipeline } = require("orcajs"); module.exports = pipeline("p", { steps: [mapped("a", async () => ${n})], partitions: monthly("2024-01") });`;
    expect((await registryOf({ [P]: text(1) })).hash).not.toBe((await registryOf({ [P]: text(9) })).hash);
  });
});
