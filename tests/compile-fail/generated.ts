/** Programs of any size, to measure what the compiler takes to check them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTsc } from "./tsc.ts";

/** What `tsc --extendedDiagnostics` counted. */
export interface Cost {
  /** How often a generic type was made a particular one: the same on every machine, as times are not. */
  readonly instantiations: number;
  readonly checkSeconds: number;
}

/** Steps in groups of five: two that follow one, one that follows both, and each group after the one before. With their pipeline. */
export function stepsText(count: number): string {
  const lines = ['import { gather, mapped, Month, monthly, pipeline } from "orcajs";'];
  lines.push(
    'export const s0 = mapped("s0", async (_ctx, month: Month) => ({ month, s0: Month.days(month).length }));',
  );
  for (let i = 1; i < count - 1; i++) {
    const after = i % 5 === 3 ? `[s${i - 2}, s${i - 1}]` : i % 5 === 2 ? `s${i - 2}` : `s${i - 1}`;
    const input = i % 5 === 3 ? "[a, b]" : "a";
    const output = i % 5 === 3 ? `month: a.month, s${i}: b.s${i - 1} + 1` : `month: a.month, s${i}: ctx.attempt`;
    lines.push(
      `export const s${i} = mapped("s${i}", { after: ${after}, retries: 2 }, async (ctx, ${input}) => ({ ${output}, at: ctx.partition }));`,
    );
  }
  const last = count - 1;
  lines.push(`export const s${last} = gather("s${last}", { after: s${last - 1} }, async (_ctx, all) => all.length);`);
  const names = Array.from({ length: count }, (_, i) => `s${i}`);
  lines.push(`export default pipeline("p", { steps: [${names.join(", ")}], partitions: monthly("2024-01") });`);
  return `${lines.join("\n")}\n`;
}

const KINDS = [
  ["long", "1"],
  ["double?", "null"],
  ["date", '"2024-01-31"'],
  ["string", '"x"'],
  ["timestamptz", "new Date()"],
  ["decimal(10, 2)", '"1.20"'],
  ["boolean", "true"],
  ["int?", "1"],
  ["string?", '"x"'],
  [undefined, "{ lat: 1, lon: 2 }"],
] as const;

/** A dataset that is parted, sorted, scanned, and appended to by a literal and by rows that were made of others. */
export function datasetText(columns: number): string {
  const kinds = Array.from({ length: columns }, (_, i) => KINDS[i % KINDS.length]!);
  const types = kinds.map(
    ([type], i) => `c${i}: ${type === undefined ? '{ lat: "double", lon: "double" }' : `"${type}"`}`,
  );
  const row = kinds.map(([, value], i) => `c${i}: ${value}`);
  return `import { dataset, mapped, type Day } from "orcajs";
export const d = dataset("lake.t", { ${types.join(", ")} }, {
  partitionBy: ["c2", "bucket(16, c0)", "month(c4)"], sortBy: ["c0 desc"],
});
export const s = mapped("s", { reads: [d], writes: [d] }, async (ctx, _day: Day) => {
  let sum = 0n;
  for await (const row of ctx.scan(d)) sum += row.c0;
  await ctx.append(d, [{ ${row.join(", ")} }]);
  const rows = await ctx.scan(d).toArray();
  await ctx.append(d, rows.map((r) => ({ ...r, c0: r.c0 + 1n })));
  return sum;
});
`;
}

/** A step that follows none and names no dataset: what any program has. */
export const SMALLEST = `import { mapped, type Day } from "orcajs";
export const s = mapped("s", async (_ctx, _day: Day) => 1);
`;

/** What the compiler takes to check a program, as its users have it checked. */
export function costOf(text: string): Cost {
  const build = join(import.meta.dirname, "../../build");
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, "budget-"));
  try {
    writeFileSync(join(folder, "program.ts"), text);
    writeFileSync(join(folder, "tsconfig.json"), '{ "extends": "orcajs/tsconfig", "files": ["program.ts"] }');
    const said = runTsc("-p", folder, "--pretty", "false", "--extendedDiagnostics", "--singleThreaded");
    if (said.includes("error TS")) throw new Error(`the program doesn't compile: ${said}`);
    return { instantiations: counted(said, "Instantiations"), checkSeconds: counted(said, "Check time") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function counted(said: string, label: string): number {
  const [, value] = new RegExp(`^${label}:\\s+([\\d.]+)s?$`, "m").exec(said) ?? [];
  if (value === undefined) throw new Error(`tsc counted no ${label}: ${said}`);
  return Number(value);
}
