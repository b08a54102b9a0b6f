import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { referencePage } from "../../scripts/reference.ts";
import { call, callOrca, workFolder } from "../e2e/programs.ts";
import { type CodeBlock, codeBlocks, fileName } from "./code-blocks.ts";

const root = path.resolve(import.meta.dirname, "../..");
const pages = globSync(["README.md", "docs/*.md", "packages/*/README.md"], { cwd: root }).filter(
  (page) => page !== "docs/reference.md",
);
/** These take the whole clone: they are what .ci/run runs. */
const RUN_BY_CI = ["npm ci && npm run flights", "npm test"];
/** This goes on until it is stopped: tests/e2e/playground.test.ts has it. */
const PLAYGROUND = "npm ci && npm run playground";

it("docs/reference.md is as the code is", () => {
  expect(readFileSync(path.join(root, "docs/reference.md"), "utf8")).toBe(referencePage());
});

it("the commands for the whole clone are run by .ci/run", () => {
  const ci = readFileSync(path.join(root, ".ci/run"), "utf8");
  for (const command of RUN_BY_CI.flatMap((c) => c.split(" && "))) expect(ci).toContain(command);
});

it("links to files that there are", () => {
  for (const page of [...pages, ...globSync("docs/**/*.md", { cwd: root })]) {
    const links = Array.from(readFileSync(path.join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g));
    for (const [, link] of links)
      expect(globSync(path.join(path.dirname(page), link!), { cwd: root }), `${page}: ${link}`).toHaveLength(1);
  }
});

describe.each(pages)("the blocks of %s", (page) => {
  const work = workFolder();
  const blocks = codeBlocks(path.join(root, page));
  const files = blocks.filter((b) => b.language === "ts");

  beforeAll(() => {
    for (const block of files) work.write(fileName(block), block.text);
    work.write("tsconfig.json", JSON.stringify({ extends: "orcajs/tsconfig", include: ["*.ts"] }));
  });
  afterAll(() => work[Symbol.dispose]());

  it("compile", async () => {
    if (files.length === 0) return;
    const { stdout } = await call("npx", ["tsc", "-p", "."], { cwd: work.path });
    expect(stdout).toBe("");
  });

  it("run, and print what they say", async () => {
    for (const [i, block] of blocks.entries()) {
      if (
        block.language !== "sh" ||
        [...RUN_BY_CI, PLAYGROUND].includes(block.text.trim()) ||
        isBesideTheClone(block.text)
      )
        continue;
      const { code, stdout, stderr } = await call("bash", ["-euc", block.text], { cwd: work.path });
      expect(code, `line ${block.line}: ${stdout}${stderr}`).toBe(0);
      expect(notPrinted(blocks[i + 1], stdout)).toEqual([]);
    }
  }, 120_000); // a page has up to ten commands, each a process or two
});

describe("README.md", () => {
  const readme = path.join(root, "README.md");
  const rain = codeBlocks(readme).find((b) => b.language === "ts" && fileName(b) === "rain.ts")!.text;

  it.each([
    ['monthly("2024-01")', 'monthly("2024-13")'],
    ["steps: [measured, rate, wettest]", "steps: [rate, measured, wettest]"],
    ['partitions: monthly("2024-01")', 'partitions: daily("2024-01-01")'],
    ["perDay: m.total", "perDay: m.totl"],
  ])("is right about what one reads who writes %s as %s", async (right, wrong) => {
    const rows = readFileSync(readme, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const row = rows.find((line) => wrong.includes(/^\| `([^`]+)`/.exec(line)![1]!))!;
    const sentence = /\| `([^`]+)` +\|$/.exec(row)![1]!;
    using work = workFolder();
    work.write("rain.ts", rain.replace(right, wrong).replace("import { gather", "import { daily, gather"));
    const { code, stderr } = await callOrca(["build", "rain.ts"], { cwd: work.path });
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  it("is right about what npm run flights prints", async () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const blocks = codeBlocks(readme);
    using work = workFolder();
    symlinkSync(path.join(root, "examples"), path.join(work.path, "examples"));
    const env = { PATH: `${path.join(root, "node_modules/.bin")}:${process.env["PATH"]}` };
    const { code, stdout, stderr } = await call("bash", ["-euc", scripts["flights"]!], { cwd: work.path, env });
    expect(code, stderr).toBe(0);
    const at = blocks.findIndex((block) => block.text.includes("npm run flights"));
    expect(notPrinted(blocks[at + 1], stdout)).toEqual([]);
  }, 120_000);

  it("is right about a project of one's own, beside the clone", async () => {
    const beside = mkdtempSync(path.join(tmpdir(), "orca-beside-"));
    try {
      const clone = path.join(beside, "orca");
      mkdirSync(clone);
      for (const name of ["packages", "node_modules"]) symlinkSync(path.join(root, name), path.join(clone, name));
      writeFileSync(path.join(clone, "rain.ts"), rain);
      const block = codeBlocks(readme).find((b) => isBesideTheClone(b.text))!;
      const { code, stdout, stderr } = await call("bash", ["-euc", block.text], { cwd: beside });
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('"pipeline": "rain"');
    } finally {
      rmSync(beside, { recursive: true });
    }
  });
});

function isBesideTheClone(commands: string): boolean {
  return commands.includes("../orca/");
}

/** What a block says that a command prints, and it didn't. */
function notPrinted(block: CodeBlock | undefined, stdout: string): readonly string[] {
  const said = block?.language === "text" ? linesOf(block.text).filter((line) => line !== "…") : [];
  const printed = linesOf(stdout);
  return said.filter((line) => !printed.includes(line));
}

/** The lines of a text, with any time, snapshot and hash taken for the same. */
function linesOf(text: string): readonly string[] {
  return text
    .trim()
    .replace(/\d+(\.\d+)? m?s\b/g, "0 ms")
    .replace(/@\d{9,}/g, "@…")
    .replace(/\b0x[0-9a-f]{16}\b/g, "0x…")
    .split("\n");
}
