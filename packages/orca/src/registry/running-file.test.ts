import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build, HEAD, project, root, run, TAIL, write } from "./build.fixture.ts";

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

describe("the inner process of a run that a scheduler starts", () => {
  const loads = (what: string) => project({ "lake.ts": `${HEAD}${what}\nconst a = async () => 1;${TAIL}` });

  it("loads beside the outer one, which could wait for it", async () => {
    const folder = loads(`import { existsSync, writeFileSync } from "node:fs";
      const seen = import.meta.filename + ".seen";
      if (process.env["ORCA_SUPERVISED"]) writeFileSync(seen, "");
      while (!existsSync(seen)) await new Promise((resolve) => setTimeout(resolve, 1));`);
    expect((await run((await build(folder)).out, "resume", "1", "--launch", "token")).complained).toBe("");
  });

  it.each([
    ["resume", "1"],
    ["run", "--launch"],
  ])("isn't started by %s %s", async (...words) => {
    const { out } = await build(loads(`if (process.env["ORCA_SUPERVISED"]) console.error("there is an inner one");`));
    expect((await run(out, ...words)).complained).toBe("");
  });
});
