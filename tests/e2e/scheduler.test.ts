/** Schedulers with real programs: what is due is run, by processes that outlive whoever started them. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openCatalog } from "@orcajs/iceberg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "../../packages/orca/src/state/database.ts";
import { queueRun } from "../../packages/orca/src/state/manual-runs.ts";
import { queueRerun } from "../../packages/orca/src/state/rerun.ts";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { call, callOrca, start, workFolder } from "./programs.ts";

const work = workFolder();
const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);
const built = (name: string) => path.join(work.path, name);
let test: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  test = await testDatabase();
  env = {
    ORCA_DATABASE_URL: test.url,
    ORCA_WAREHOUSE: path.join(work.path, "lake"),
    ORCA_LOGS: path.join(work.path, "logs"),
    ORCA_PROGRAMS: path.join(work.path, "programs"),
    ORCA_RETRY_SECONDS: "0",
  };
  for (const name of ["daily-ingest", "daily-report"])
    expect(await callOrca(["build", fixture(`${name}.ts`), "-o", built(name), "--no-check"])).toMatchObject({
      code: 0,
    });
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  work[Symbol.dispose]();
});

const orca = (words: readonly string[], now?: string) =>
  callOrca(words, { env: now === undefined ? env : { ...env, ORCA_NOW: now } });
const counts = async () =>
  Object.fromEntries(
    (
      await test.sql<{ what: string; n: number }>(
        "select pipeline || ' ' || status as what, count(*)::int as n from orca.runs group by 1 order by 1",
      )
    ).map(({ what, n }) => [what, n]),
  );

it("90 days of a lake come in on time, and the report has them", { timeout: 600_000 }, async () => {
  for (const name of ["daily-ingest", "daily-report"])
    expect(await orca(["register", built(name)], "2024-01-01T12:00:00Z")).toMatchObject({ code: 0 });
  for (const now of ["2024-01-31T03:00:00Z", "2024-02-29T23:00:00Z", "2024-03-31T03:00:00Z"])
    expect(await orca(["tick", "--wait"], now)).toMatchObject({ code: 0, stderr: "" });
  const { "ingest succeeded": days, ...others } = await counts();
  expect(days).toBe(90);
  expect(Object.keys(others)).toEqual(["report succeeded"]);
  await using catalog = openCatalog(env["ORCA_WAREHOUSE"]!);
  const table = await catalog.loadTable("days.sums");
  const rows = await table.scan<{ month: string; days: bigint; n: bigint }>().toArray();
  expect(rows.toSorted((a, b) => (a.month < b.month ? -1 : 1))).toEqual([
    { month: "2024-01", days: 31n, n: 496n },
    { month: "2024-02", days: 29n, n: 435n },
    { month: "2024-03", days: 30n, n: 465n },
  ]);
  const log = readFileSync(path.join(env["ORCA_LOGS"]!, "ingest/1/driver-1.log"), "utf8");
  expect(log).toContain("succeeded");
  expect((await call(built("daily-ingest"), ["status", "1"], { env })).stdout).toContain(
    `its process prints to ${path.join(env["ORCA_LOGS"]!, "ingest/1/driver-1.log")}`,
  );
});

it(
  "runs whose program is away stay queued with the reason, and drain when it is back",
  { timeout: 120_000 },
  async () => {
    const programs = env["ORCA_PROGRAMS"]!;
    const isIngest = (name: string) => path.basename(name).startsWith("daily-ingest-");
    const program = readdirSync(programs, { recursive: true, encoding: "utf8" }).find(isIngest);
    await orca(["backfill", "ingest", "2025-01-01..2025-01-10"]);
    renameSync(path.join(programs, program!), path.join(work.path, "away"));
    const { stdout } = await orca(["tick", "--wait"], "2024-04-01T00:00:00Z");
    expect(stdout.match(/stays queued: .* can't be started: there is no such file/g)).toHaveLength(10);
    const of = "from orca.runs where pipeline = 'ingest' and trigger = 'backfill' and status";
    expect(await test.sql(`select distinct held_back, retries ${of} = 'queued'`)).toEqual([
      { held_back: expect.stringContaining("there is no such file") as unknown, retries: 0 },
    ]);
    expect((await orca(["runs", "ingest"])).stdout).toContain("queued, held back");
    renameSync(path.join(work.path, "away"), path.join(programs, program!));
    await orca(["tick", "--wait"], "2024-04-01T00:01:00Z");
    expect(await test.sql(`select count(*)::int as runs ${of} = 'succeeded'`)).toEqual([{ runs: 10 }]);
    expect(readdirSync(path.join(programs, ".compiled"))).not.toEqual([]); // by Node, for those that come later
  },
);

it(
  "runs outlive the scheduler that started them, and the next one goes on with what is queued",
  { timeout: 120_000 },
  async () => {
    // a process that hasn't claimed its run by then is ended, and on a busy machine a second is less than it takes
    const killing = { ...env, ORCA_NOW: "2024-04-02T03:00:00Z", ORCA_STALE_SECONDS: "10" };
    const orcaProgram = path.resolve("packages/orca/bin/orca.js");
    const scheduler = start(process.execPath, [orcaProgram, "scheduler"], { env: killing });
    await scheduler.printed("scheduling");
    await callOrca(["backfill", "ingest", "2025-02-01..2025-02-04"], { env });
    const going = "select owner from orca.runs where trigger = 'backfill' and status = 'running' and owner <> launch";
    while ((await test.sql(going)).length === 0);
    scheduler.process.kill("SIGKILL");
    await scheduler.ended;
    expect(await callOrca(["tick", "--wait"], { env: killing })).toMatchObject({ code: 0 });
    const rows = await test.sql(
      "select status, count(*)::int as runs from orca.runs where keys[1] like '2025-02-%' group by 1",
    );
    expect(rows).toEqual([{ status: "succeeded", runs: 4 }]);
  },
);

it("a backfill and a rebuild are cancelled whole", { timeout: 60_000 }, async () => {
  const { stdout } = await orca(["backfill", "ingest", "2025-03-01..2025-03-03"]);
  const backfill = /^backfill (\d+)/.exec(stdout)![1]!;
  expect((await orca(["cancel", "--backfill", backfill])).stdout).toBe(`backfill ${backfill}: 3 runs cancelled\n`);
  expect((await orca(["cancel", "--backfill", backfill])).stdout).toContain("no run of it was queued or going on");
  const { dataset } = (
    await test.sql<{ dataset: string }>(
      "select dataset from orca.pipeline_datasets where pipeline = 'ingest' and role = 'writes' limit 1",
    )
  )[0]!;
  const rebuild = /^rebuild (\d+)/.exec((await orca(["rebuild", dataset, "2025-03-01"])).stdout)![1]!;
  expect((await orca(["cancel", "--rebuild", rebuild])).stdout).toBe(
    `rebuild ${rebuild} is cancelled: 1 run cancelled\n`,
  );
  expect(await callOrca(["cancel", "--rebuild", "99"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no rebuild 99") as unknown,
  });
});

it(
  "runs hold an embedded database themselves: it doesn't end with who started them",
  { timeout: 120_000 },
  async () => {
    const file = work.write(
      "held.ts",
      `import { daily, mapped, pipeline, type Day } from "orcajs";
const say = mapped("say", (_ctx, day: Day) => console.log(day, "in", process.env["ORCA_DATABASE_URL"]));
export default pipeline("held", { steps: [say], partitions: daily("2024-01-01") });
`,
    );
    const embedded = { ...env, ORCA_DATABASE_URL: `embedded:${path.join(work.path, "postgres")}` };
    for (const words of [
      ["build", file, "-o", built("held"), "--no-check"],
      ["register", built("held")],
    ])
      expect(await callOrca(words, { env: embedded })).toMatchObject({ code: 0 });
    await callOrca(["backfill", "held", "2024-01-01"], { env: embedded });
    expect(await callOrca(["tick", "--wait"], { env: embedded })).toMatchObject({ code: 0 });
    const log = readFileSync(path.join(env["ORCA_LOGS"]!, "held/1/driver-1.log"), "utf8");
    expect(log).toContain(`2024-01-01 in ${embedded.ORCA_DATABASE_URL}`);
  },
);

it("a run that is tried again later isn't overtaken, and leaves no older rows", { timeout: 120_000 }, async () => {
  const lake = work.write(
    "kept.ts",
    `import { existsSync } from "node:fs";
import { daily, dataset, type Day, mapped, pipeline } from "orcajs";
const raw = dataset("order.raw", { day: "date", n: "long" });
const sums = dataset("order.sums", { day: "date", n: "long" }, { partitionBy: ["day"] });
const take = mapped("take", { writes: [raw] }, (ctx, day: Day) => ctx.append(raw, [{ day, n: 1 }]));
const add = mapped("add", { reads: [raw], writes: [sums] }, async (ctx, day: Day) => {
  const [sum] = await ctx.sql<{ n: bigint }>\`select count(*) as n from \${ctx.scan(raw)} where day = \${day}\`.toArray();
  if (existsSync(process.env["FAIL_FILE"]!)) throw new Error("as it is meant to");
  await ctx.overwrite(sums, [{ day, n: sum!.n }], { where: { day } });
});
export const taking = pipeline("taking", { steps: [take], partitions: daily("2024-01-01") });
export const adding = pipeline("adding", { steps: [add], partitions: daily("2024-01-01"), sensor: true, maxRuns: 2, runRetries: 3 });
`,
  );
  const failing = path.join(path.dirname(lake), "failing");
  const waiting = { ...env, FAIL_FILE: failing, ORCA_RETRY_SECONDS: "60" };
  const at = async (now: string, words: readonly string[]) =>
    expect(await callOrca(words, { env: { ...waiting, ORCA_NOW: now } })).toMatchObject({ code: 0 });
  for (const name of ["taking", "adding"]) {
    const file = work.write(`${name}.ts`, `export { ${name} as default } from "./kept.ts";`);
    await at("2024-01-01T00:00:00Z", ["build", file, "-o", built(name), "--no-check"]);
    await at("2024-01-01T00:00:00Z", ["register", built(name)]);
  }
  writeFileSync(failing, "");
  await at("2024-01-01T00:00:00Z", ["backfill", "taking", "2024-01-01"]);
  await at("2024-01-01T00:00:00Z", ["tick", "--wait"]);
  rmSync(failing);
  await at("2024-01-01T00:00:01Z", ["backfill", "taking", "2024-01-01", "--rerun"]);
  await at("2024-01-01T00:00:01Z", ["tick", "--wait"]);
  const of = "from orca.runs where pipeline = 'adding' order by id";
  expect(await test.sql(`select status ${of}`)).toEqual([{ status: "queued" }, { status: "queued" }]);
  expect((await orca(["runs", "adding"])).stdout).toContain("queued, held back");
  await at("2024-01-01T00:10:00Z", ["tick", "--wait"]);
  expect(await test.sql(`select status ${of}`)).toEqual([{ status: "succeeded" }, { status: "succeeded" }]);
  await using catalog = openCatalog(env["ORCA_WAREHOUSE"]!);
  const rows = await (await catalog.loadTable("order.sums")).scan<{ n: bigint }>().toArray();
  expect(rows.map(({ n }) => n)).toEqual([2n]);
});

it(
  "what a person asks to run again is a run that does that, with the outputs that there are of the rest",
  { timeout: 120_000 },
  async () => {
    const file = work.write(
      "again.ts",
      `import { daily, gather, mapped, pipeline, type Day } from "orcajs";
const load = mapped("load", (ctx, day: Day) => (console.log("load of", day), \`\${day} of run \${ctx.run.id}\`));
const joined = gather("joined", { after: load }, (_ctx, days) => (console.log("joined", days.join(", ")), days.length));
export default pipeline("again", { steps: [load, joined], partitions: daily("2024-01-01") });
`,
    );
    for (const words of [
      ["build", file, "-o", built("again"), "--no-check"],
      ["register", built("again")],
    ])
      expect(await orca(words)).toMatchObject({ code: 0 });
    const now = "2024-04-01T00:02:00Z"; // the schedules of the others' pipelines have nothing due
    await using database = new Database(test.url, { patienceMs: 0, warn: () => {} });
    const first = await queueRun(database, { pipeline: "again", keys: ["2024-01-01", "2024-01-02"], actor: "alice" });
    expect(await orca(["tick", "--wait"], now)).toMatchObject({ code: 0 });
    const second = await queueRerun(database, {
      run: first,
      steps: ["load"],
      partitions: ["2024-01-02"],
      allowsNewCode: false,
      actor: "alice",
    });
    expect(await orca(["tick", "--wait"], now)).toMatchObject({ code: 0 });
    const of = "from orca.runs where pipeline = 'again' order by id";
    expect(await test.sql(`select status ${of}`)).toEqual([{ status: "succeeded" }, { status: "succeeded" }]);
    const log = readFileSync(path.join(env["ORCA_LOGS"]!, `again/${second}/driver-1.log`), "utf8");
    expect(log.match(/load of .*/g)).toEqual(["load of 2024-01-02"]);
    expect(log).toContain(`joined 2024-01-01 of run ${first}, 2024-01-02 of run ${second}\n`);
  },
);
