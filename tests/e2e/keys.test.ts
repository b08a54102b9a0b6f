/** Partitions by name: a keyed pipeline's program, over a warehouse in a folder. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { createTable, openCatalog } from "@orcajs/iceberg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { call, callOrca, workFolder } from "./programs.ts";

const work = workFolder();
const labels = path.join(work.path, "labels");
const sensing = path.join(work.path, "sensing");
const ORCA_WAREHOUSE = path.join(work.path, "lake");
let test: TestDatabase;
let snapshot: string;

beforeAll(async () => {
  test = await testDatabase();
  for (const program of [labels, sensing])
    await callOrca(["build", path.join(import.meta.dirname, `fixtures/${path.basename(program)}.ts`), "-o", program]);
  await using catalog = openCatalog(ORCA_WAREHOUSE);
  await catalog.createNamespace("av2");
  await catalog.createNamespace("bare");
  const logs = await catalog.createTable("av2.logs", { columns: { log_id: "string", note: "string?", n: "int?" } });
  await logs.append(["log-2", "log-10", "log-2", "log-1"].map((log_id) => ({ log_id, note: "not a name" })));
  snapshot = String(logs.scan().snapshot!["snapshot-id"]);
  await catalog.createTable("av2.empty", { columns: { n: "long" } });
  await catalog.createTable("bare.logs", { columns: { log_id: "string" } });
});
afterAll(async () => {
  work[Symbol.dispose]();
  await test[Symbol.asyncDispose]();
});

const inLake = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  call(labels, words, { cwd: work.path, env: { ORCA_WAREHOUSE, ...env } });
const said = (sentence: string, code = 2) => ({ code, stdout: "", stderr: `error: ${sentence}\n` });

describe("keys", () => {
  it("shows the snapshot and then the keys, also as JSON", async () => {
    expect(await inLake(["keys"])).toMatchObject({ code: 0, stdout: `av2.logs@${snapshot}\nlog-1\nlog-10\nlog-2\n` });
    const { stdout } = await inLake(["keys", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      dataset: "av2.logs",
      column: "log_id",
      snapshot,
      keys: ["log-1", "log-10", "log-2"],
    });
  });

  it("shows that there are none yet", async () => {
    const env = { LABELS_SPACE: "bare" };
    expect(await inLake(["keys"], env)).toMatchObject({ code: 0, stdout: "bare.logs@none\n" });
    expect(JSON.parse((await inLake(["keys", "--json"], env)).stdout)).toMatchObject({ snapshot: null, keys: [] });
  });

  it.each([
    [
      { LABELS_COLUMN: "note" },
      2,
      '"not a name" of note in av2.logs can\'t be keys: names are 1 to 128 letters, digits and ._:-, but not . or ..; change the values, or take another column',
    ],
    [{ LABELS_COLUMN: "n" }, 2, "'n' of av2.logs is of type int: keys are a string column's values"],
    [{ LABELS_COLUMN: "log" }, 2, "av2.logs has no column 'log': there are log_id, note, n"],
    [
      { LABELS_SPACE: "none" },
      1,
      "there is no table 'none.logs' in the warehouse yet, whose log_id has the keys: make it, or set ORCA_WAREHOUSE to where it is",
    ],
    [
      { ORCA_WAREHOUSE: "" },
      2,
      "set ORCA_WAREHOUSE, so that there is a warehouse with av2.logs: a folder, s3://bucket/prefix or rest+https://…",
    ],
    [{ ORCA_WAREHOUSE: "rest+http://127.0.0.1:9" }, 6, expect.stringContaining("127.0.0.1:9")],
  ])("with %o exits in a sentence", async (env, code, sentence) => {
    const stderr: unknown = typeof sentence === "string" ? `error: ${sentence}\n` : sentence;
    expect(await inLake(["keys"], env)).toMatchObject({ code, stdout: "", stderr });
  });

  it("are those of keyed pipelines alone", async () => {
    const toy = path.join(work.path, "toy");
    await callOrca(["build", path.resolve(import.meta.dirname, "../../examples/toy.ts"), "-o", toy]);
    expect(await call(toy, ["keys"])).toMatchObject(
      said("'toy' isn't keyed: its partitions are every month from 2024-01 on"),
    );
  });
});

describe.each(["in memory", "recorded"])("run, %s,", (how) => {
  const run = (list: string, env: Readonly<Record<string, string>> = {}) =>
    inLake(["run", "--partitions", list, "--json"], {
      ...(how === "recorded" && { ORCA_DATABASE_URL: test.url }),
      ...env,
    });

  it("is over all keys with @all, however many a run of the scheduler's covers", async () => {
    const { code, stdout, stderr } = await run("@all");
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ partitions: 3, outputs: [{ step: "count", output: 3 }] });
  });

  it("is over names that are keys, given or in a file", async () => {
    expect(JSON.parse((await run("log-2,log-1")).stdout)).toMatchObject({ status: "succeeded", partitions: 2 });
    work.write("names", "log-10\n\nlog-1\n");
    expect(JSON.parse((await run("@file:names")).stdout)).toMatchObject({ status: "succeeded", partitions: 2 });
  });

  it.each([
    ["lgo-1", {}, "'lgo-1' isn't a key of 'labels', as no row of av2.logs has it as its log_id: did you mean 'log-1'?"],
    [
      "log-1,other-3,else-1",
      {},
      "'else-1' (and 1 more of the names given) isn't a key of 'labels', as no row of av2.logs has it as its log_id: the command keys lists those that there are",
    ],
    [
      "log-1..log-2",
      {},
      "'log-1..log-2' can't stand in a list: names have no ranges, and those with two dots are given by @file:<path>",
    ],
    ["@all,log-1", {}, "'@all' can't stand in a list: @all and @file:<path> are given alone"],
    ["@all", { LABELS_SPACE: "bare" }, "'labels' has no keys yet: bare.logs has no rows with a log_id"],
    [
      "log-1",
      { LABELS_SPACE: "bare" },
      "'log-1' isn't a key of 'labels', as no row of bare.logs has it as its log_id: the command keys lists those that there are",
    ],
    [
      "@all",
      { ORCA_WAREHOUSE: "" },
      "set ORCA_WAREHOUSE, so that there is a warehouse with av2.logs: a folder, s3://bucket/prefix or rest+https://…",
    ],
  ])("refuses %s with %o", async (list, env, sentence) => {
    expect(await run(list, env)).toMatchObject(said(sentence));
  });

  it("takes names as they are where there is no warehouse to look them up in", async () => {
    const { stdout } = await run("anything", { ORCA_WAREHOUSE: "" });
    expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", partitions: 1 });
  });
});

it("100,000 keys are shown, and run over", async () => {
  const env = { LABELS_SPACE: "many" };
  await using catalog = openCatalog(ORCA_WAREHOUSE);
  await catalog.createNamespace("many");
  const logs = await catalog.createTable("many.logs", { columns: { log_id: "string" } });
  await logs.append(catalog.engine.sql`select 'log-' || (n % 100000)::varchar as log_id from range(200000) t(n)`);
  const lines = (await inLake(["keys"], env)).stdout.split("\n");
  expect([lines.length, lines[1], lines.at(-2)]).toEqual([100_002, "log-0", "log-99999"]);
  const { stdout } = await inLake(["run", "--partitions", "@all", "--json"], env);
  expect(JSON.parse(stdout)).toMatchObject({ partitions: 100_000, outputs: [{ step: "count", output: 100_000 }] });
});

it("resume goes on with keys that are gone", async () => {
  const env = { ORCA_DATABASE_URL: test.url, LABELS_SPACE: "gone" };
  await using catalog = openCatalog(ORCA_WAREHOUSE);
  await catalog.createNamespace("gone");
  await (await catalog.createTable("gone.logs", { columns: { log_id: "string" } })).append([{ log_id: "a" }]);
  const { stdout } = await inLake(["run", "--partitions", "@all", "--json"], env);
  const { run } = JSON.parse(stdout) as { readonly run: number };
  await test.sql(`update orca.runs set status = 'failed' where id = ${run}`);
  await catalog.dropTable("gone.logs", { purge: true });
  expect(await inLake(["resume", String(run)], env)).toMatchObject({ code: 0 });
});

describe("sense", () => {
  const sense = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    call(sensing, ["sense", ...words], { env: { ORCA_WAREHOUSE, SENSING_FOLDER: work.path, ...env } });

  it("shows each dataset that is read, and the one that keys come from, by its current snapshot", async () => {
    const location = path.join(work.path, "elsewhere");
    mkdirSync(location, { recursive: true });
    await using table = await createTable(location, { columns: { n: "long" } });
    await table.append([{ n: 1 }], { properties: { "orca.partitions": "log-1,log-2" } });
    const theirs = String(table.scan().snapshot!["snapshot-id"]);
    const { stdout } = await sense(["--json"]);
    const nothing = { snapshot: null, snapshots: [] };
    const appended = {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown,
      operation: "append",
      partitions: null,
      by: null,
    };
    const at = (...parts: string[]) => path.join(ORCA_WAREHOUSE, ...parts);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        dataset: "av2.logs",
        isKeys: true,
        location: at("av2/logs"),
        snapshot,
        snapshots: [{ ...appended, snapshot }],
      },
      { dataset: "av2.empty", isKeys: false, location: at("av2/empty"), ...nothing },
      { dataset: "av2.missing", isKeys: false, location: null, ...nothing },
      {
        dataset: location,
        isKeys: false,
        location,
        snapshot: theirs,
        snapshots: [{ ...appended, snapshot: theirs, partitions: ["log-1", "log-2"] }],
      },
    ]);
    const lines = (await sense([])).stdout
      .replaceAll(/\d{4}-\S+Z/g, "<time>")
      .trimEnd()
      .split("\n");
    expect(lines).toEqual([
      `av2.logs@${snapshot}  append at <time>`,
      "av2.empty@none  the table has no snapshot yet",
      "av2.missing@none  there is no table yet",
      `${location}@${theirs}  append at <time>, with log-1, log-2`,
    ]);
  });

  it("needs a warehouse where a dataset has a name", async () => {
    expect(await sense([], { ORCA_WAREHOUSE: "" })).toMatchObject(
      said(
        "set ORCA_WAREHOUSE, so that there is a warehouse with av2.logs: a folder, s3://bucket/prefix or rest+https://…",
      ),
    );
  });

  it("says that nothing is read", async () => {
    expect(await inLake(["sense"], { LABELS_SPACE: "bare" })).toMatchObject({
      code: 0,
      stdout: "bare.logs@none  the table has no snapshot yet\n",
    });
    const toy = path.join(work.path, "toy");
    expect(await call(toy, ["sense"])).toMatchObject({ code: 0, stdout: "toy reads no datasets\n" });
  });
});
