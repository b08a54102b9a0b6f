import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { checkTypes } from "./type-check.ts";

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "orca-types-")));
afterAll(() => rmSync(root, { recursive: true }));

let projects = 0;
function project(files: Readonly<Record<string, string>>, packages = ["typescript", "@types", "@typescript"]): string {
  const folder = join(root, `project-${++projects}`);
  for (const [name, text] of Object.entries({ "package.json": `{ "type": "module" }`, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, "node_modules"));
  for (const name of packages) symlinkSync(join(modules, name), join(folder, "node_modules", name));
  return folder;
}

const check = (folder: string, file = "lake.ts", signal?: AbortSignal) =>
  checkTypes({ file: join(folder, file), folder, signal });
const refused = (message: string | RegExp) =>
  expect.objectContaining({ code: "build-failed", message: expect.stringMatching(message) });
const leftIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(".orca"));

const BAD = `export const n: number = "x";\n`;

describe("the types of a pipeline's file", () => {
  it("are checked by Orca's options where there are none", async () => {
    const folder = project({
      "lake.ts": `import { x } from "./lib.ts";\nexport default process.pid + x[0]!;\n`,
      "lib.ts": "export const x = [1];\n",
    });
    await expect(check(folder)).resolves.toBeUndefined();
    expect(leftIn(folder)).toEqual([]);
  });

  it("are checked with those of what it imports, and of nothing else", async () => {
    const folder = project({
      "pipelines/lake.ts": `import { n } from "./lib.ts";\nexport const s: string = n;\nexport default (x) => x;\n`,
      "pipelines/lib.ts": BAD,
      "pipelines/other.ts": BAD,
    });
    await expect(check(folder, "pipelines/lake.ts")).rejects.toThrow(
      refused(
        /^pipelines\/lake\.ts:2:14: Type 'number' is not assignable to type 'string' \(TS2322\)\npipelines\/lake\.ts:3:17: .* \(TS7006\)\npipelines\/lib\.ts:1:14: [^\n]*$/,
      ),
    );
    expect(leftIn(join(folder, "pipelines"))).toEqual([]);
  });

  it("are checked by the options of the nearest tsconfig.json, whatever that builds", async () => {
    const folder = project({
      "tsconfig.json": `{ "compilerOptions": { "composite": true, "incremental": true, "declaration": true, "emitDeclarationOnly": true, "isolatedDeclarations": true, "rootDir": "src", "outDir": "dist", "strict": false, "module": "nodenext", "paths": { "~/*": ["./src/*"] } }, "include": ["src"], "references": [] }`,
      "src/lib.ts": "export const x = 1;\n",
      "src/broken.ts": BAD,
      "pipelines/lake.ts": `import { x } from "~/lib.ts";\nexport default (y) => x + y;\n`,
    });
    await expect(check(folder, "pipelines/lake.ts")).resolves.toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(["node_modules", "package.json", "pipelines", "src", "tsconfig.json"]);
  });

  it("aren't checked where it is JavaScript", async () => {
    await expect(check(project({ "lake.mjs": "export default 1 + ;" }, []), "lake.mjs")).resolves.toBeUndefined();
  });

  it("need TypeScript", async () => {
    await expect(check(project({ "lake.ts": "" }, []))).rejects.toThrow(
      refused(
        "^TypeScript isn't installed: run npm install --save-dev typescript, or pass --no-check to build without a check$",
      ),
    );
  });

  it("need the types of Node.js, unless the options don't", async () => {
    const folder = project({ "lake.ts": "export default 1;" }, ["typescript", "@typescript"]);
    await expect(check(folder)).rejects.toThrow(
      refused("^the types of Node.js aren't installed: run npm install --save-dev @types/node$"),
    );
  });

  it("say what is wrong with a tsconfig.json by its name", async () => {
    const folder = project({
      "lake.ts": "export default 1;",
      "tsconfig.json": `{ "compilerOptions": { "strict": "yes" } }`,
    });
    await expect(check(folder)).rejects.toThrow(refused(/^tsconfig\.json:1:\d+: .*\(TS\d+\)$/));
  });
});

it("a check that is aborted ends at once, and leaves nothing behind", async () => {
  const folder = project({ "lake.ts": "export default 1;" });
  const abort = new AbortController();
  const checked = check(folder, "lake.ts", abort.signal);
  abort.abort(new Error("stop"));
  await expect(checked).rejects.toThrow("stop");
  expect(leftIn(folder)).toEqual([]);
  expect(existsSync(join(folder, "lake.js"))).toBe(false);
});
