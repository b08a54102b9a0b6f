/** What the compiler takes for a pipeline of many steps, beyond an empty file. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { row, timeCommands } from "./measure.ts";

const tsc = path.resolve(import.meta.dirname, "../../node_modules/typescript/bin/tsc");

export function benchTypeCheck(folder: string, stepCount: number, rounds: number): readonly string[] {
  const projects = { empty: "export {};\n", steps: pipelineOf(stepCount) };
  const commands = Object.entries(projects).map(([name, text]) => {
    const project = path.join(folder, `type-check-${name}`);
    mkdirSync(project, { recursive: true });
    writeFileSync(path.join(project, "pipeline.ts"), text);
    const config = { extends: "orcajs/tsconfig", include: ["pipeline.ts"] };
    writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(config));
    return [process.execPath, tsc, "-p", project];
  });
  const [empty, steps] = timeCommands(commands, rounds);
  return [
    "type check, whole processes",
    row("an empty file", empty!),
    row(`a pipeline of ${stepCount} steps`, steps!),
    `  beyond an empty file: ${(steps!.median - empty!.median).toFixed(0)} ms`,
  ];
}

/** Steps that follow each other, every third one a second branch, and a gather step at the end. */
function pipelineOf(count: number): string {
  const steps = ['const s0 = mapped("s0", async (_ctx, month: Month) => ({ month, n: 0 }));'];
  for (let i = 1; i < count - 1; i++) {
    const after = i % 3 === 0 ? i - 2 : i - 1;
    steps.push(`const s${i} = mapped("s${i}", { after: s${after} }, async (_ctx, m) => ({ ...m, n: m.n + 1 }));`);
  }
  const last = count - 1;
  steps.push(`const s${last} = gather("s${last}", { after: s${last - 1} }, async (_ctx, ms) => ms.length);`);
  const names = Array.from({ length: count }, (_, i) => `s${i}`).join(", ");
  return `import { gather, mapped, type Month, monthly, pipeline } from "orcajs";
${steps.join("\n")}
export default pipeline("many-steps", { steps: [${names}], partitions: monthly("2024-01") });
`;
}
