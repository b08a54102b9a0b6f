/** Builds of small pipelines, with an orcajs that shows what they know, for tests of what is built. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { buildPipeline, type BuildOptions, type BuildResult } from "./build.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
/** The folder of all that a test file builds; removed after its tests. */
export const root = realpathSync(mkdtempSync(join(tmpdir(), "orca-build-")));
afterAll(() => rmSync(root, { recursive: true }));
process.env["XDG_CACHE_HOME"] = join(root, "cache");

/** Texts by their paths. */
export type Files = Readonly<Record<string, string>>;

/** Writes files into a folder, and gives it. */
export function write(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** An orcajs whose program prints what its first argument asks for: `built`, `describe`, or `run` with what the steps return. */
export const ORCA: Files = {
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
export function project(files: Files, orca = ORCA): string {
  const folder = write(join(root, `project-${++projects}`), { "package.json": `{ "type": "module" }`, ...files });
  write(join(folder, "node_modules/orcajs"), orca);
  return folder;
}

/** What a pipeline's file begins with, and ends with where its one step is the function `a`. */
export const HEAD = `import { mapped, monthly, pipeline } from "orcajs";\n`;
export const TAIL = `\nexport default pipeline("p", { steps: [mapped("a", a)], partitions: monthly("2024-01") });\n`;

/** Builds the `lake.ts` of a folder, without the type check. */
export async function build(folder: string, options: Partial<BuildOptions> = {}): Promise<BuildResult> {
  return await buildPipeline({ file: "lake.ts", out: "build/lake", folder, check: false, ...options });
}

export interface Ran {
  readonly code: number;
  readonly printed: readonly unknown[];
  readonly complained: string;
}

/** Runs a built file to its end. */
export async function run(file: string, ...words: string[]): Promise<Ran> {
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
export async function returned(code: string, more: Files = {}): Promise<unknown> {
  const folder = project({ "lake.ts": HEAD + code + TAIL, ...more });
  const { out } = await build(folder);
  const { printed, complained } = await run(out, "run", "k");
  return printed[0] ?? complained;
}
