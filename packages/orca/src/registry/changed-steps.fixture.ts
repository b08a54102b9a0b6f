/** Two versions of a pipeline's code, for tests of what a step's hash includes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readRegistry } from "./registry.ts";

/** Texts by their files' names. */
type Files = Readonly<Record<string, string>>;

/** What is said of a change, its code, the steps that it changes, and the files beside it. */
export type Change = [what: string, code: string, steps: readonly string[], more?: Files];

/**
 * The steps whose hashes differ between two versions of a pipeline of two steps, `a` and `b`, which `code` declares with what they need; `b`
 * is left out where it doesn't matter.
 *
 * @param code both versions, here and in `more`: `x = «1→9»` stands for `x = 1` and `x = 9`.
 */
export async function changedSteps(code: string, more: Files = {}): Promise<readonly string[]> {
  const declared = code.includes("const b =") ? code : `${code} const b = mapped("b", async () => 2);`;
  const files: Files = {
    "pipeline.ts": `import { dataset, gather, mapped, monthly, pipeline, task } from "orcajs";\n${declared}\nexport default pipeline("p", { steps: [a, b], partitions: monthly("2024-01") });`,
    ...more,
  };
  const [before, after] = [await stepsOf(versionOf(files, "$1")), await stepsOf(versionOf(files, "$2"))];
  return after.flatMap((step, i) => (step.hash === before[i]?.hash ? [] : [step.name || `step ${i}`]));
}

function versionOf(files: Files, which: "$1" | "$2"): Files {
  const texts = Object.entries(files).map(([name, text]) => [name, text.replaceAll(/«([^→]*)→([^»]*)»/g, which)]);
  return Object.fromEntries(texts) as Files;
}

async function stepsOf(files: Files) {
  const folder = mkdtempSync(join(tmpdir(), "orca-changes-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return (await readRegistry({ file: join(folder, "pipeline.ts") })).registry.steps;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
