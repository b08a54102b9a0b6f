import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Registry } from "./built.ts";
import { readRegistry } from "./registry.ts";

type Files = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "orca-registry-"));
afterAll(() => rmSync(folder, { recursive: true }));
let folders = 0;

function write(files: Files, at = join(folder, String(++folders))): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  return at;
}

async function registryOf(files: Files, at?: string): Promise<Registry> {
  return (await readRegistry({ file: join(write(files, at), "pipeline.ts") })).registry;
}

/** What differs between two versions of a pipeline: its hash, its steps' (by name or place), its tasks', and its steps' own. */
async function differences(before: Files, after: Files, at?: string) {
  const [a, b] = [await registryOf(before), await registryOf(after, at)];
  const names = (registry: Registry) => registry.steps.map((s, i) => s.name || `step ${i}`);
  const isComparable = a.steps.length === b.steps.length;
  const steps = isComparable ? names(b).filter((_, i) => a.steps[i]?.hash !== b.steps[i]?.hash) : "other steps";
  const own = isComparable ? names(b).filter((_, i) => a.steps[i]?.own !== b.steps[i]?.own) : "other steps";
  const tasks = b.tasks.filter((t) => a.tasks.find((u) => u.name === t.name)?.hash !== t.hash).map((t) => t.name);
  return { pipeline: a.hash !== b.hash, steps, own, tasks };
}

const NOTHING = { pipeline: false, steps: [], own: [], tasks: [] };

const BASE: Files = {
  "package.json": `{ "name": "lake", "type": "module" }`,
  "pipeline.ts": `import { cron, dataset, gather, mapped, Month, monthly, pipeline, task, type Day } from "orcajs";
import { pad } from "leftpad";
import { round, unused } from "./lib/util.ts";
import { RATE } from "./lib/consts.ts";
import table from "./lib/table.json" with { type: "json" };

const client = new Map([["a", 1]]);
const raw = dataset("lake.raw", { id: "long", day: "date" }, { doc: "Raw." });
const clean = dataset("lake.clean", { id: "long", day: "date" }, { partitionBy: ["day"] });
export const trips = task("trips", async (day: Day) => day.length * RATE);

// counts the days
export const days = mapped("days", async (ctx, month: Month) => ({ month, days: Month.days(month).length }));
export const measure = mapped("measure", { after: days, retries: 2, timeout: "10m" }, async (ctx, m) => {
  ctx.log(pad(String(m.days), 5));
  return { ...m, hours: round(m.days * RATE) };
});
export const fan = mapped("fan", { after: days, tasks: [trips], reads: [raw], writes: [clean] }, async (ctx, m) =>
  ctx.remote(trips, Month.day(m.month, 1)));
export const total = gather("total", { after: measure }, async (ctx, ms) => ms.reduce((sum, m) => sum + m.hours, 0) + table.base + client.size);

export default pipeline("toy", { steps: [days, measure, fan, total], partitions: monthly("2024-01"), schedule: cron("0 3 2 * *"), maxRuns: 2 });
`,
  "lib/util.ts": `export const round = (n: number): number => Math.round(n);\nexport const unused = (n: number) => n + 1;\n`,
  "lib/consts.ts": `export const RATE: number = 24;\nexport const OTHER = 3;\n`,
  "lib/table.json": `{ "base": 1, "other": 2 }`,
  "node_modules/leftpad/package.json": `{ "name": "leftpad", "version": "1.0.0", "type": "module", "exports": "./index.js", "dependencies": { "deep": "1" }, "peerDependencies": { "peer": "1" }, "optionalDependencies": { "fast": "1" } }`,
  "node_modules/leftpad/index.js": `export const pad = (s, n) => s.padStart(n);`,
  "node_modules/deep/package.json": `{ "name": "deep", "version": "1.2.3" }`,
  "node_modules/peer/package.json": `{ "name": "peer", "version": "3.0.0" }`,
  "node_modules/fast/package.json": `{ "name": "fast", "version": "2.0.0" }`,
};

const P = "pipeline.ts";

/** The base with one text of one file replaced, wherever it stands in it. */
function edited(file: string, from: string, to: string, files = BASE): Files {
  const text = files[file] ?? "";
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  return { ...files, [file]: text.replaceAll(from, to) };
}

describe("no hash changes with", () => {
  const { "lib/util.ts": util = "", ...others } = BASE;
  it.each<[what: string, after: Files, at?: string]>([
    ["the folder", BASE, join(folder, "some/where/else/deep")],
    ["comments", edited(P, "// counts the days", "/* counts\n the days */")],
    ["formatting", edited(P, ", ", " ,\n\t ")],
    ["line ends", edited(P, ";\n", "\r\n")],
    ["quotes", edited(P, `"days"`, "'days'")],
    ["quotes of properties", edited(P, "{ month, days:", `{ month, "days":`)],
    ["shorthand properties", edited(P, "{ month, days:", "{ month: month, days:")],
    ["types", edited(P, "month: Month)", "month: Month & {})")],
    [
      "names of parameters",
      edited(
        P,
        `async (ctx, m) => {\n  ctx.log(pad(String(m.days), 5));\n  return { ...m, hours: round(m.days`,
        `async (c, q) => {\n  c.log(pad(String(q.days), 5));\n  return { ...q, hours: round(q.days`,
      ),
    ],
    ["names of variables", edited(P, "client", "connection")],
    ["names of imports", edited(P, "{ PACE }", "{ RATE as PACE }", edited(P, "RATE", "PACE"))],
    ["names of Orca's functions", edited(P, "mapped(", "step(", edited(P, "mapped,", "mapped as step,"))],
    [
      "Orca as a namespace",
      edited(
        P,
        "= mapped(",
        "= orca.mapped(",
        edited(P, `import { pad }`, `import * as orca from "orcajs";\nimport { pad }`),
      ),
    ],
    ["exports", edited(P, "export const", "const")],
    ["names of modules", edited(P, "./lib/util.ts", "./lib/sums.ts", { ...others, "lib/sums.ts": util })],
    [
      "a variable of another module that is called the same",
      { ...BASE, "lib/util.ts": `${util}export const client = 3;\n` },
    ],
    ["the order of declarations", edited(P, "const client", "const later", edited(P, "client.size", "later.size"))],
    ["unused exports", edited("lib/util.ts", "n + 1", "n + 2", edited("lib/consts.ts", "OTHER = 3", "OTHER = 4"))],
    ["a new file that nothing imports", { ...BASE, "lib/new.ts": "export const x = 1;" }],
    ["retries and timeouts", edited(P, "retries: 2, timeout", "retries: 5, timeout", edited(P, `"10m"`, `"20m"`))],
    [
      "the schedule, the partitions and the limits of runs",
      edited(
        P,
        "0 3 2",
        "0 4 2",
        edited(P, "2024-01", "2023-01", edited(P, "maxRuns: 2", "maxRuns: 9, runRetries: 3, catchup: false")),
      ),
    ],
    ["what is documented", edited(P, "Raw.", "Raw rows.")],
    ["a package's files", edited("node_modules/leftpad/index.js", "padStart", "padEnd")],
    ["the versions of optional dependencies", edited("node_modules/fast/package.json", "2.0.0", "2.0.1")],
    ["what is printed when it is loaded", { ...BASE, [P]: `${BASE[P]}console.log("loaded");\n` }],
    [
      "running the file itself",
      { ...BASE, [P]: `import { main } from "orcajs";\n${BASE[P]}if (import.meta.main) await main(trips);\n` },
    ],
  ])("%s", async (_, after, at) => {
    expect(await differences(BASE, after, at)).toEqual(NOTHING);
  });
});

describe("a change of", () => {
  it.each<[what: string, after: Files, own: string[], following: string[], tasks?: string[]]>([
    ["a step's function", edited(P, "m.days), 5", "m.days), 6"), ["measure"], ["total"]],
    [
      "a first step's function",
      edited(P, "(month).length }", "(month).length + 0 }"),
      ["days"],
      ["measure", "fan", "total"],
    ],
    ["a last step's function", edited(P, "sum + m.hours, 0)", "sum + m.hours, 1)"), ["total"], []],
    ["a function that it calls", edited("lib/util.ts", "Math.round", "Math.floor"), ["measure"], ["total"]],
    [
      "a constant that a step and a task use",
      edited("lib/consts.ts", "RATE: number = 24", "RATE: number = 25"),
      ["measure", "fan"],
      ["total"],
      ["trips"],
    ],
    ["a task", edited(P, "day.length * RATE", "day.length + RATE"), ["fan"], [], ["trips"]],
    ["data", edited("lib/table.json", `"base": 1`, `"base": 9`), ["total"], []],
    ["a value made when it is loaded", edited(P, `["a", 1]`, `["a", 2]`), ["total"], []],
    ["a dataset's columns", edited(P, `"lake.raw", { id: "long"`, `"lake.raw", { id: "int"`), [], ["fan"]],
    ["a dataset's partitions", edited(P, `["day"]`, `["month(day)"]`), [], ["fan"]],
    ["a package's version", edited("node_modules/leftpad/package.json", "1.0.0", "1.0.1"), ["measure"], ["total"]],
    [
      "the version of what a package depends on",
      edited("node_modules/deep/package.json", "1.2.3", "1.2.4"),
      ["measure"],
      ["total"],
    ],
    [
      "the version of what a package wants beside itself",
      edited("node_modules/peer/package.json", "3.0.0", "3.0.1"),
      ["measure"],
      ["total"],
    ],
    ["a step's name", edited(P, `mapped("measure"`, `mapped("measured"`), [], ["measured", "total"]],
    ["a step's kind", edited(P, `mapped("fan"`, `gather("fan"`), [], ["fan"]],
    [
      "what a step follows",
      edited(P, `gather("total", { after: measure }`, `gather("total", { after: days }`),
      [],
      ["total"],
    ],
    [
      "one step followed into a list of one",
      edited(P, `gather("total", { after: measure }`, `gather("total", { after: [measure] }`),
      [],
      ["total"],
    ],
    ["what a step uses of Orca", edited(P, "+ client.size", "+ client.size + Month.year.length"), ["total"], []],
  ])(
    "%s changes the steps that reach it, those that follow, and the pipeline",
    async (_, after, own, following, tasks = []) => {
      const { steps, ...rest } = await differences(BASE, after);
      expect(new Set(steps)).toEqual(new Set([...own, ...following]));
      expect(rest).toEqual({ pipeline: true, own, tasks });
    },
  );

  it("the pipeline's name changes its hash alone", async () => {
    expect(await differences(BASE, edited(P, `"toy"`, `"toys"`))).toEqual({ ...NOTHING, pipeline: true });
  });
});

it("the packages that a step's function reaches are listed, and those of a task", async () => {
  const { steps, tasks } = await registryOf(edited(P, "day.length * RATE", "pad(day, 1)"));
  expect(steps.map((s) => s.packages)).toEqual([
    [],
    ["deep@1.2.3", "leftpad@1.0.0", "peer@3.0.0"],
    ["deep@1.2.3", "leftpad@1.0.0", "peer@3.0.0"],
    [],
  ]);
  expect(tasks.map((t) => t.packages)).toEqual([["deep@1.2.3", "leftpad@1.0.0", "peer@3.0.0"]]);
});

describe("a file that can't be read is refused", () => {
  it.each([
    [
      "without a default export",
      "export const a = 1;",
      /pipeline\.ts has no default export: end it with export default pipeline\(…\)$/,
    ],
    ["with a syntax error", "const é = 'é'; const b = ;", /^pipeline\.ts:1:26: Unexpected ";"$/],
    [
      "that imports a missing file",
      `import "./nowhere.ts";\nexport default 1;`,
      /^pipeline\.ts:1:8: there is no file \.\/nowhere\.ts$/,
    ],
  ])("%s", async (_, text, message) => {
    await expect(registryOf({ [P]: text })).rejects.toThrow(
      expect.objectContaining({
        code: "build-failed",
        message: expect.stringMatching(message),
      }),
    );
  });
});
