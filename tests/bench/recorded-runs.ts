/** Whole processes of recorded runs: small chained work, and a run of many partitions with its memory, its status and its resuming. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { buildPipeline } from "../../packages/orca/dist/registry/build.js";
import { measured, row, timeCommands } from "./measure.ts";
import { freshDatabase } from "./recorded-steps.ts";

const CHAINED = [
  { steps: 40, n: 10 },
  { steps: 10, n: 33 },
] as const;

/** @param folder for what is built. */
export async function benchRecordedRuns(
  url: string,
  folder: string,
  keyCount: number,
  rounds: number,
): Promise<readonly string[]> {
  await using fresh = await freshDatabase(url);
  process.env["ORCA_DATABASE_URL"] = fresh.url;
  const lines = [...(await chained(folder, rounds)), "", ...(await manyKeys(fresh.url, folder, keyCount, rounds))];
  delete process.env["ORCA_DATABASE_URL"];
  return lines;
}

async function chained(folder: string, rounds: number): Promise<readonly string[]> {
  const programs: string[] = [];
  for (const { steps, n } of CHAINED) programs.push(await built(folder, `fib-${steps}`, fibonacci(steps, n)));
  const commands = programs.map((program) => [program, "run", "--partitions", "a"]);
  const [node, ...times] = timeCommands([[process.execPath, "-e", "0"], ...commands], rounds);
  return [
    "steps that follow each other, recorded in Postgres: whole processes",
    row("Node's own start", node!),
    ...CHAINED.map(({ steps, n }, i) => {
      const beyond = times[i]!.median - node!.median;
      return row(`${steps} steps of fibonacci(${n}) (Node + ${beyond.toFixed(0)} ms)`, times[i]!);
    }),
  ];
}

function fibonacci(steps: number, n: number): string {
  const lines = Array.from({ length: steps }, (_, i) =>
    i === 0
      ? `const s0 = mapped("s0", async (_ctx, _key: Name) => fibonacci(${n}));`
      : `const s${i} = mapped("s${i}", { after: s${i - 1} }, async (_ctx, _before) => fibonacci(${n}));`,
  );
  const all = Array.from({ length: steps }, (_, i) => `s${i}`).join(", ");
  return `import { keyed, mapped, type Name, pipeline } from "orcajs";
function fibonacci(n: number): number { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
${lines.join("\n")}
export default pipeline("fibonacci-${steps}-${n}", { steps: [${all}], partitions: keyed("bench.keys", "key") });
`;
}

/** Each process of a run appends its most memory to MEMORY; the last step fails while FAIL is set, and appends when it starts to STARTED. */
const MANY_KEYS = `import { appendFileSync } from "node:fs";
import { gather, keyed, mapped, type Name, pipeline } from "orcajs";
const nothing = mapped("nothing", async (_ctx, _key: Name) => 1);
const count = gather("count", { after: nothing }, async (_ctx, ones) => {
  appendFileSync(process.env["STARTED"]!, Date.now() + "\\n");
  if (process.env["FAIL"] === "1") throw new Error("told to");
  return ones.length;
});
process.on("exit", () => appendFileSync(process.env["MEMORY"]!, process.resourceUsage().maxRSS + "\\n"));
export default pipeline("many-keys", { steps: [nothing, count], partitions: keyed("bench.keys", "key"), concurrency: 16 });
`;

async function manyKeys(url: string, folder: string, keyCount: number, rounds: number): Promise<readonly string[]> {
  const program = await built(folder, "many-keys", MANY_KEYS);
  const [keys, memory, started] = ["keys", "memory", "started"].map((name) => path.join(folder, `many-${name}.txt`));
  writeFileSync(keys!, Array.from({ length: keyCount }, (_, i) => `key-${String(i).padStart(7, "0")}\n`).join(""));
  const run = (words: readonly string[], fail: string) => {
    writeFileSync(memory!, "");
    writeFileSync(started!, "");
    const startedAt = Date.now();
    const env = { ...process.env, MEMORY: memory!, STARTED: started!, FAIL: fail };
    const { status, stderr, stdout } = spawnSync(program, words, { encoding: "utf8", env, maxBuffer: 1 << 30 });
    if (status !== (fail === "1" ? 1 : 0))
      throw new Error(`${words.join(" ")} exited with ${status}: ${stdout.slice(-2000)}${stderr}`);
    const largest = Math.max(...readFileSync(memory!, "utf8").trim().split("\n").map(Number)) / 1024;
    return { largest, toStep: Number(readFileSync(started!, "utf8").trim()) - startedAt, ms: Date.now() - startedAt };
  };
  const first = run(["run", "--partitions", `@file:${keys}`, "--json"], "1");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>("select max(id) as id from orca.runs");
  await client.end();
  const id = rows[0]!.id;
  const [status] = timeCommands([[program, "status", id]], rounds);
  const resumes = Array.from({ length: rounds }, () => run(["resume", id, "--json"], "1"));
  return [
    `a run of ${keyCount.toLocaleString("en-US")} partitions, recorded in Postgres: whole processes`,
    row("the run, one step that does nothing and a gather step", measured([first.ms])),
    row("the most memory of its larger process", measured([first.largest]), "MiB"),
    row("status", status!),
    row("resume, to the start of the first step that is left", measured(resumes.map((r) => r.toStep))),
    row("the most memory of resuming", measured(resumes.map((r) => r.largest)), "MiB"),
  ];
}

async function built(folder: string, name: string, text: string): Promise<string> {
  const file = path.join(folder, `${name}.ts`);
  writeFileSync(file, text);
  const { out } = await buildPipeline({ file, out: path.join(folder, name), folder, check: false });
  return out;
}
