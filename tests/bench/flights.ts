/** The flights pipelines as programs that are recorded in Postgres, beside a script that does the same of tables; and an append in a step, beside one alone. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { buildPipeline } from "../../packages/orca/dist/registry/build.js";
import { measured, row } from "./measure.ts";
import { freshDatabase } from "./recorded-steps.ts";

/** @param url of a server's database, in which databases can be made. @param parent for what is built and written. */
export async function benchFlights(url: string, parent: string, isSmoke: boolean): Promise<readonly string[]> {
  const folder = path.join(parent, "flights-tables");
  mkdirSync(folder, { recursive: true });
  await using fresh = await freshDatabase(url);
  return [
    ...(await benchWhole(fresh.url, folder, isSmoke)),
    "",
    ...(await benchAppend(fresh.url, folder, isSmoke ? "2001-01-02" : "2001-06-30")),
  ];
}

/** All days, in turns; the numbers that both find must be the same. */
async function benchWhole(url: string, folder: string, isSmoke: boolean): Promise<readonly string[]> {
  const [last, months] = isSmoke ? ["2001-01-02", "2001-01"] : ["2001-07-01", "2001-01..2001-07"];
  const [ingest, report] = [
    await built("examples/flights/ingest", folder),
    await built("examples/flights/report", folder),
  ];
  const times = { orca: [] as number[], bare: [] as number[] };
  for (let round = 0; round < (isSmoke ? 1 : 3); round++) {
    const lake = path.join(folder, "lake");
    const env = { ORCA_DATABASE_URL: url, ORCA_WAREHOUSE: lake };
    const script = path.join(import.meta.dirname, "flights-bare.ts");
    const [bare, bareMs] = timed([process.execPath, script, path.join(folder, "bare"), "2001-01-01", last]);
    const [, ingestMs] = timed([ingest, "run", "--partitions", `2001-01-01..${last}`], env);
    const [ours, reportMs] = timed([report, "run", "--partitions", months], env);
    const first = (text: string) => /origin: '(\w+)'/.exec(text)?.[1];
    if (first(bare) === undefined || first(bare) !== first(ours)) throw new Error(`${bare}\n${ours}`);
    times.bare.push(bareMs);
    times.orca.push(ingestMs + reportMs);
    for (const name of ["lake", "bare"]) rmSync(path.join(folder, name), { recursive: true });
  }
  const [orca, bare] = [measured(times.orca), measured(times.bare)];
  return [
    `flights of 2001-01-01 to ${last}: taken in, cleaned and reported on, in whole processes`,
    row(`ingest and report, recorded in Postgres (× ${(orca.median / bare.median).toFixed(2)})`, orca),
    row("a script with the same commits", bare),
  ];
}

async function benchAppend(url: string, folder: string, last: string): Promise<readonly string[]> {
  const program = await built("tests/bench/flights-append", folder);
  const env = {
    ORCA_DATABASE_URL: url,
    ORCA_WAREHOUSE: path.join(folder, "lake"),
    BARE_WAREHOUSE: path.join(folder, "bare"),
  };
  const [out] = timed([program, "run", "--partitions", `2001-01-01..${last}`, "--json"], env);
  const { outputs } = JSON.parse(out) as { readonly outputs: readonly { readonly output: AppendTimes[] }[] };
  const days = outputs[0]!.output;
  return [
    `appends of a day's flights, ${days.length} times each, in one process`,
    row("in a step", measured(days.map((d) => d.inStep))),
    row("by @orcajs/iceberg alone", measured(days.map((d) => d.bare))),
    row("beyond it, of the two of each day", measured(days.map((d) => d.inStep - d.bare))),
  ];
}

interface AppendTimes {
  readonly inStep: number;
  readonly bare: number;
}

async function built(name: string, folder: string): Promise<string> {
  const file = path.resolve(import.meta.dirname, "../..", `${name}.ts`);
  return (await buildPipeline({ file, out: path.join(folder, path.basename(name)), folder, check: false })).out;
}

/** What a program prints, and how many milliseconds it takes. */
function timed(
  [program, ...words]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): readonly [stdout: string, ms: number] {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(program!, words, { encoding: "utf8", env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} exited with ${status}: ${stdout}${stderr}`);
  return [stdout, performance.now() - startedAt];
}
