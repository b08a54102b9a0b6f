import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { watch } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, orcaProgram, start, workFolder } from "./programs.ts";

const work = workFolder();
afterAll(() => work[Symbol.dispose]());
beforeAll(() => void work.write("tsconfig.json", JSON.stringify({ extends: "orcajs/tsconfig" })));

const orca = (...words: string[]) => callOrca(words, { cwd: work.path });
const ONE_STEP = `import { mapped, type Month, monthly, pipeline } from "orcajs";
const one = mapped("one", async (_ctx, month: Month) => month);
export default pipeline("p", { steps: [one], partitions: monthly("2024-01") });
`;

/** Settles once a file or folder is made whose name begins so. */
async function made(folder: string, prefix: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename?.startsWith(prefix)) return;
}

describe("orca build", () => {
  it("makes one executable file, by default in build/, and says what it made", async () => {
    work.write("lake.ts", ONE_STEP);
    const { code, stdout, stderr } = await orca("build", "lake.ts");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^built build\/lake in \d\.\d s: 1 step, \d+ KiB, hash 0x[0-9a-f]{16}\n$/);
    expect(statSync(path.join(work.path, "build/lake")).mode & 0o777).toBe(0o755);
    expect((await call(path.join(work.path, "build/lake"), ["run", "--partitions", "2024-01"])).code).toBe(0);
  });

  it.each(["module", "commonjs"])("makes a file that runs beside a package.json of type %s", async (type) => {
    work.write("lake.ts", ONE_STEP);
    const folder = path.join(work.path, type);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type }));
    await orca("build", "lake.ts", "-o", path.join(folder, "lake"));
    expect(await call(path.join(folder, "lake"), ["fires"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("may have an ending that Node runs, and no other", async () => {
    work.write("lake.ts", ONE_STEP);
    const folder = path.join(work.path, "endings");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "package.json"), `{ "type": "module" }`);
    for (const ending of [".js", ".mjs", ".cjs"])
      expect(await orca("build", "lake.ts", "-o", `endings/lake${ending}`)).toMatchObject({ code: 0, stderr: "" });
    expect(await orca("build", "lake.ts", "-o", "endings/lake.v2")).toMatchObject({
      code: 2,
      stderr: "error: Node runs no file here whose name ends in .v2: give the build a name without an ending\n",
    });
  });

  it("takes the repository and the commit from the environment", async () => {
    work.write("lake.ts", ONE_STEP);
    const env = { ORCA_SOURCE: "https://example.com/a/b", ORCA_COMMIT: "0".repeat(40), ORCA_DIRTY: "0" };
    await callOrca(["build", "lake.ts"], { cwd: work.path, env });
    const { stdout } = await call(path.join(work.path, "build/lake"), ["describe"]);
    expect((JSON.parse(stdout) as { source: object }).source).toMatchObject({
      repository: "https://example.com/a/b",
      commit: "0".repeat(40),
      dirty: false,
    });
  });

  const bad: readonly (readonly [what: string, text: string, sentence: string | RegExp])[] = [
    ["a syntax error", `export default pipeline(`, /^bad\.ts:1:\d+: /],
    [
      "a type error",
      `${ONE_STEP}export const n: number = "x";\n`,
      "bad.ts:4:14: Type 'string' is not assignable to type 'number' (TS2322)\n",
    ],
    [
      "a broken rule",
      ONE_STEP.replace('"2024-01")', '"2024-13")'),
      /'2024-13' isn't a month: write YYYY-MM, such as 2024-01/,
    ],
    [
      "no default export",
      `export const a = 1;\n`,
      "error: bad.ts has no default export: end it with export default pipeline(…)\n",
    ],
    [
      "a missing package",
      `import x from "no-such-package";\nexport default x;\n`,
      /the package no-such-package isn't installed: run npm install no-such-package/,
    ],
    ["a missing file", `import x from "./none.ts";\nexport default x;\n`, /there is no file \.\/none\.ts/],
  ];
  it.each(bad)("of a file with %s exits with 2 and a sentence, and writes nothing", async (_what, text, sentence) => {
    work.write("bad.ts", text);
    const { code, stdout, stderr } = await orca("build", "bad.ts");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(path.join(work.path, "build/bad"))).toBe(false);
    expect(globSync("{.*,build/.*}", { cwd: work.path })).toEqual([]);
  });

  it("with --no-check builds a file that doesn't type-check", async () => {
    work.write("untyped.ts", `${ONE_STEP}export const n: number = "x";\n`);
    expect(await orca("build", "untyped.ts", "--no-check")).toMatchObject({ code: 0, stderr: "" });
  });

  it("shows what the bundler warns of", async () => {
    work.write("odd.ts", ONE_STEP.replace("=> month)", "=> month.length === -0)"));
    const { code, stderr } = await orca("build", "odd.ts");
    expect(code).toBe(0);
    expect(stderr).toBe('warning: odd.ts:2:74: Comparison with -0 using the "===" operator will also match 0\n');
  });

  it("doesn't overwrite the pipeline's files, by whatever path, nor what is no file", async () => {
    work.write("lib.ts", "export const month = 1;\n");
    work.write(
      "lake.ts",
      `import { month } from "./lib.ts";\n${ONE_STEP.replace("=> month)", "=> month)").replace('"one"', "`one${month}`")}`,
    );
    symlinkSync(work.path, path.join(work.path, "here"));
    for (const [out, sentence] of [
      ["here/lake.ts", "here/lake.ts is the pipeline's own file: write the build to another"],
      ["here/lib.ts", "here/lib.ts isn't a build of Orca's, and would be lost: write the build to another file"],
      ["/dev/stdin", "isn't a file that a build could take the place of"],
    ] as const) {
      const { code, stderr } = await orca("build", "lake.ts", "-o", out);
      expect({ code, stderr }, out).toEqual({ code: 2, stderr: expect.stringContaining(sentence) });
    }
    rmSync(path.join(work.path, "here"));
    expect(readFileSync(path.join(work.path, "lib.ts"), "utf8")).toBe("export const month = 1;\n");
  });

  it("replaces a build, and no other file", async () => {
    work.write("lake.ts", ONE_STEP);
    for (const [name, text] of [
      ["notes.txt", "what I must not lose\n"],
      ["script", "#!/usr/bin/env node\nconsole.log(1);\n"],
    ] as const) {
      const file = work.write(name, text);
      expect(await orca("build", "lake.ts", "-o", name)).toMatchObject({
        code: 2,
        stderr: `error: ${name} isn't a build of Orca's, and would be lost: write the build to another file\n`,
      });
      expect(readFileSync(file, "utf8")).toBe(text);
    }
    expect((await orca("build", "lake.ts", "-o", "twice", "--no-check")).code).toBe(0);
    expect((await orca("build", "lake.ts", "-o", "twice", "--no-check")).code).toBe(0);
  });

  it("leaves nothing behind when it is interrupted", async () => {
    work.write("lake.ts", ONE_STEP);
    const started = start(process.execPath, [orcaProgram, "build", "lake.ts", "-o", "never"], { cwd: work.path });
    await made(work.path, ".orca-check-");
    started.process.kill("SIGINT");
    expect(await started.ended).toMatchObject({
      code: 3,
      stderr: "error: the build was interrupted: nothing is written\n",
    });
    expect(globSync("{.*,never}", { cwd: work.path })).toEqual([]);
  });

  it.each([
    [["build"], "missing required argument 'file'"],
    [["build", "none.ts"], "there is no file none.ts"],
    [["build", "."], ". is a folder: give the pipeline's file"],
    [
      ["build", "tsconfig.json"],
      "tsconfig.json isn't TypeScript or JavaScript: its name must end in .ts, .mts, .cts, .tsx, .js, .mjs, .cjs, .jsx",
    ],
    [["build", "lake.ts", "-o", "."], ". is a folder: give the file to write, such as lake"],
    [["build", "lake.ts", "-o", "lake.ts"], "lake.ts is the pipeline's own file: write the build to another"],
    [["biuld", "lake.ts"], "unknown command 'biuld' (Did you mean build?)"],
    [["build", "lake.ts", "--no-chek"], "unknown option '--no-chek' (Did you mean --no-check?)"],
    [["build", "lake.ts", "--verson"], "unknown option '--verson' (Did you mean --version?)"],
    [
      ["build", "lake.ts", "-o", "--no-check"],
      "option '-o, --out <file>' argument '--no-check' is invalid. It is an option: the value is missing before it.",
    ],
  ])("%j exits with 2 and one sentence", async (words, sentence) => {
    work.write("lake.ts", ONE_STEP);
    expect(await orca(...words)).toMatchObject({ code: 2, stdout: "", stderr: `error: ${sentence}\n` });
  });

  it.each([["-V"], ["build", "-V"], ["dev", "--version"], ["runs", "-V"]])(
    "%j %j show the version",
    async (...words) => {
      expect(await orca(...words)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: "",
      });
    },
  );

  it("warns of a variable that isn't known, once, whatever else is wrong", async () => {
    work.write("late.ts", "export default { kind: 'lake' };\n");
    const { code, stderr } = await callOrca(["build", "late.ts"], { cwd: work.path, env: { ORCA_XYZ: "1" } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^warning: ORCA_XYZ isn't a variable of Orca's\nerror: late\.ts's default export .*\n$/);
  });

  it.each([
    [
      "breaks a rule",
      ONE_STEP.replace('"2024-01")', 'process.env["START"] ?? "2024-13")'),
      /^late\.ts:3:\d+: '2024-13' isn't a month: .*\n$/,
    ],
    [
      "has a step's name that is none",
      ONE_STEP.replace('mapped("one"', 'mapped("a b"'),
      /^late\.ts:2:\d+: 'a b' isn't a step's name: .*\n$/,
    ],
    ["throws", `${ONE_STEP}throw new Error("at load");\n`, /^late\.ts:4:\d+: at load\n$/],
    [
      "throws later",
      `setTimeout(() => {\n  throw new Error("at load");\n}, 1);\nawait new Promise((resolve) => setTimeout(resolve, 10_000));\n${ONE_STEP}`,
      /^late\.ts:2:\d+: at load\n$/,
    ],
    [
      "exports something else",
      "export default { kind: 'lake' };\n",
      /^error: late\.ts's default export isn't a pipeline: end the file with export default pipeline\(…\)\n$/,
    ],
  ])(
    "of a file that %s when it is loaded says so, and with --no-check makes a program that does",
    async (_what, text, sentence) => {
      work.write("late.ts", text);
      const built = await orca("build", "late.ts");
      expect(built).toMatchObject({ code: 2, stdout: "" });
      expect(built.stderr.replace(/^\S*late\.ts:/, "late.ts:")).toMatch(sentence);
      expect(existsSync(path.join(work.path, "build/late"))).toBe(false);

      expect((await orca("build", "late.ts", "--no-check")).code).toBe(0);
      const program = path.join(work.path, "build/late");
      const ended = await call(program, ["describe"]);
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr.replace(/^\S*late\.ts:/, "late.ts:").replace("late's", "late.ts's")).toMatch(sentence);
      rmSync(program);
    },
  );

  it("makes a program whose output is its own, whatever the file prints when it is loaded", async () => {
    work.write("prints.ts", `console.log("at load");\n${ONE_STEP}`);
    expect((await orca("build", "prints.ts")).code).toBe(0);
    const { stdout, stderr } = await call(path.join(work.path, "build/prints"), ["describe"]);
    expect(JSON.parse(stdout)).toMatchObject({ pipeline: "p" });
    expect(stderr).toBe("at load\n");
  });
});

it("a rejection that a pipeline's file leaves when it is loaded fails its run", async () => {
  work.write("rejects.ts", `void Promise.reject(new Error("left at load"));\n${ONE_STEP}`);
  expect((await orca("build", "rejects.ts")).code).toBe(0);
  const { code, stdout } = await call(path.join(work.path, "build/rejects"), ["run", "--partitions", "2024-01"]);
  expect(code).toBe(1);
  expect(stdout).toContain("code outside of any step left a rejection unhandled: left at load\n");
});

describe("orca dev", () => {
  it("runs a file as its program, with the file's own place, and leaves nothing behind", async () => {
    work.write("data.txt", "rain");
    work.write(
      "dev.ts",
      ONE_STEP.replace("=> month)", '=> readFileSync(new URL("data.txt", import.meta.url), "utf8") + month)').replace(
        "import",
        'import { readFileSync } from "node:fs";\nimport',
      ),
    );
    const { code, stdout, stderr } = await orca("dev", "dev.ts", "run", "--partitions", "2024-01");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/one 2024-01: succeeded in/);
    expect(globSync(".*", { cwd: work.path })).toEqual([]);
  });

  describe.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("on %s leaves nothing behind", (signal) => {
    const temporary = path.join(work.path, signal);
    const dev = (file: string, ...words: string[]) =>
      start(process.execPath, [orcaProgram, "dev", file, ...words], { cwd: work.path, env: { TMPDIR: temporary } });
    beforeAll(() => {
      mkdirSync(temporary);
      work.write(
        "slow.ts",
        `console.log("loading");\nawait new Promise((resolve) => setTimeout(resolve, 60_000));\n${ONE_STEP}`,
      );
    });

    it("while it builds", async () => {
      const isMade = made(temporary, "orca-dev-");
      const started = dev("slow.ts", "describe");
      await isMade;
      started.process.kill(signal);
      expect(await started.ended).toMatchObject({ code: null, signal, stdout: "" });
      expect(readdirSync(temporary)).toEqual([]);
    });

    it("while the file is loaded", async () => {
      const started = dev("slow.ts", "describe");
      await started.complained("loading");
      started.process.kill(signal);
      expect(await started.ended).toMatchObject({ code: null, signal, stdout: "" });
      expect(readdirSync(temporary)).toEqual([]);
    });
  });

  it("takes a file that doesn't type-check", async () => {
    work.write("untyped.ts", `${ONE_STEP}export const n: number = "x";\n`);
    expect(await orca("dev", "untyped.ts", "describe")).toMatchObject({ code: 0, stderr: "" });
  });

  it("takes -- before the program's words, and warns of a variable once", async () => {
    work.write("lake.ts", ONE_STEP);
    const env = { ORCA_XYZ: "1" };
    const { code, stdout, stderr } = await callOrca(["dev", "lake.ts", "--", "fires", "--json"], {
      cwd: work.path,
      env,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "[]\n",
      stderr: "warning: ORCA_XYZ isn't a variable of Orca's\n",
    });
  });

  it("passes options on to the program, --help too, and exits with its code", async () => {
    work.write("lake.ts", ONE_STEP);
    expect((await orca("dev", "lake.ts", "--help")).stdout).toMatch(/^Usage: lake\.ts /);
    expect(await orca("dev", "lake.ts", "run", "--partitions", "x")).toMatchObject({
      code: 2,
      stderr: "error: 'x' isn't a month: write YYYY-MM, such as 2024-01\n",
    });
  });
});

it("a file that calls main is its program when it is run as it is, and not when it is built", async () => {
  work.write(
    "direct.ts",
    `import { main } from "orcajs";\n${ONE_STEP.replace("export default", "const p =")}export default p;\nawait main(p);\n`,
  );
  const direct = await call(process.execPath, ["direct.ts", "run", "--partitions", "2024-01"], { cwd: work.path });
  expect(direct).toMatchObject({ code: 0, stderr: "" });
  expect((await orca("build", "direct.ts")).code).toBe(0);
  expect((await call(path.join(work.path, "build/direct"), ["describe"])).code).toBe(0);
});
