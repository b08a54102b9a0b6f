import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalog, type CatalogOptions } from "@orcajs/iceberg";
import { startRest } from "../../packages/iceberg/src/catalog/rest/rest-server.fixture.ts";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { call, callOrca, workFolder } from "./programs.ts";

const work = workFolder();
const program = path.join(work.path, "tables");
const warehouse = path.join(work.path, "lake");
let test: TestDatabase;

interface Link {
  readonly distance: number;
  readonly dataset: string;
  readonly snapshot: string;
  readonly by?: { readonly step: string };
}

/** A warehouse with the names that are partitions. */
async function withNames(location: string, options: CatalogOptions = {}): Promise<void> {
  await using catalog = openCatalog(location, options);
  await catalog.createNamespace("lake");
  const names = await catalog.createTable("lake.names", { columns: { name: "string" } });
  await names.append(["well", "throws", "dies"].map((name) => ({ name })));
}

beforeAll(async () => {
  test = await testDatabase();
  await withNames(warehouse);
  await callOrca(["build", path.join(import.meta.dirname, "fixtures/tables.ts"), "-o", program]);
});
afterAll(async () => {
  work[Symbol.dispose]();
  await test[Symbol.asyncDispose]();
});

const run = (folder: string, names: string) =>
  call(program, ["run", "--partitions", names], { env: { ORCA_DATABASE_URL: test.url, ORCA_WAREHOUSE: folder } });

describe("a recorded run over a warehouse", () => {
  it("commits each step's rows once, also where attempts fail or die after their commit, and records all that they read and made", async () => {
    const { code, stdout } = await run(warehouse, "well,throws,dies");
    expect(stdout).toContain("total = 36\n");
    expect(code).toBe(0);
    await using catalog = openCatalog(warehouse);
    const raw = await catalog.loadTable("lake.raw");
    const names = raw.snapshots().map(({ summary }) => summary?.["orca.partition"] ?? "");
    expect(names.toSorted((a, b) => a.localeCompare(b))).toEqual(["dies", "throws", "well"]);
    expect(await raw.scan().toArray()).toHaveLength(9);

    const made = await test.sql(`
      select partition, max(attempt) > 1 as "isAgain", count(distinct snapshot)::int as snapshots
      from orca.commits where step = 'load' group by partition order by 1`);
    expect(made).toEqual([
      { partition: "dies", isAgain: true, snapshots: 1 },
      { partition: "throws", isAgain: true, snapshots: 1 },
      // it may have been at work when the process died
      { partition: "well", isAgain: expect.any(Boolean) as unknown, snapshots: 1 },
    ]);
    const clean = await catalog.loadTable("lake.clean");
    const reads = await test.sql<{ partition: string; snapshot: string }>(`
      select partition, snapshot::text from orca.reads where step = 'tidy' and dataset = 'lake.raw' order by attempt desc`);
    for (const { summary } of clean.snapshots()) {
      const { snapshot } = reads.find((read) => read.partition === summary?.["orca.partition"])!;
      expect(summary).toMatchObject({ "orca.pipeline": "tables", "orca.reads": `lake.raw@${snapshot}` });
    }
  });

  it("is walked back to sources and forward, also through snapshots that others made", async () => {
    const lineage = async (snapshot: string) => {
      const env = { ORCA_DATABASE_URL: test.url };
      const { stdout, code } = await callOrca(["lineage", snapshot, "--json"], { env });
      expect(code).toBe(0);
      return JSON.parse(stdout) as { readonly madeFrom: Link[]; readonly madeOfIt: Link[] };
    };
    const { madeFrom, madeOfIt } = await lineage("lake.clean");
    expect(madeFrom.map(({ distance, dataset, by }) => [distance, dataset, by?.step])).toEqual([
      [0, "lake.clean", "tidy"],
      [1, "lake.raw", "load"],
    ]);
    expect(madeOfIt).toEqual([]);
    const { snapshot } = madeFrom[1]!;
    expect((await lineage(`lake.raw@${snapshot}`)).madeOfIt.map(({ dataset }) => dataset)).toContain("lake.clean");

    // somebody compacts the table, and a run reads what that made
    await using catalog = openCatalog(warehouse);
    const raw = await catalog.loadTable("lake.raw");
    await raw.maintenance.rewriteManifests();
    await raw.append([{ name: "theirs", n: 1n }]);
    const theirs = raw.scan().snapshot!["snapshot-id"];
    expect((await run(warehouse, "well")).code).toBe(0);
    const back = (await lineage("lake.clean")).madeFrom;
    expect(back[1]).toMatchObject({ dataset: "lake.raw", by: { step: "load" } });
    const through = (await lineage(`lake.raw@${theirs}`).catch(() => undefined))?.madeFrom;
    expect(through?.map((link) => [link.distance, link.by?.step])).toEqual([
      [0, undefined],
      [1, "load"],
    ]);
  });

  it("of another database commits anew to the same warehouse", async () => {
    await using other = await testDatabase();
    const env = { ORCA_DATABASE_URL: other.url, ORCA_WAREHOUSE: warehouse };
    await using catalog = openCatalog(warehouse);
    const before = (await catalog.loadTable("lake.raw")).snapshots().length;
    const { code } = await call(program, ["run", "--partitions", "well"], { env });
    expect(code).toBe(0);
    expect((await catalog.loadTable("lake.raw")).snapshots().length - before).toBe(1);
  });
});

it("a run over a REST catalog commits once where replies are lost, and shows it the token that it has", async () => {
  await using server = await startRest({ warehouse: path.join(work.path, "central"), credential: "orca:secret" });
  await withNames(`rest+${server.endpoint}`, { rest: { credential: "orca:secret" } });
  const env = { ORCA_DATABASE_URL: test.url, ORCA_WAREHOUSE: `rest+${server.endpoint}` };
  const run = (given: Record<string, string>) =>
    call(program, ["run", "--partitions", "well,throws,dies"], { env: { ...env, ...given } });
  const { code: refused, stderr } = await run({});
  expect({ refused, isSaid: stderr.includes("401") }, stderr).toEqual({
    refused: expect.any(Number) as unknown,
    isSaid: true,
  });
  expect(refused).not.toBe(0);
  const isCommit = ({ method, path: of }: { method: string; path: string }) =>
    method === "POST" && of.endsWith("/tables/raw");
  server.fail(isCommit, { do: "reset", isApplied: true }, { do: "reset", isApplied: false });
  const { code, stdout, stderr: warnings } = await run({ ORCA_WAREHOUSE_CREDENTIAL: "orca:secret" });
  expect(stdout, warnings).toContain("total = 36\n");
  expect(code).toBe(0);
  await using catalog = openCatalog(env.ORCA_WAREHOUSE, { rest: { credential: "orca:secret" } });
  const raw = await catalog.loadTable("lake.raw");
  expect(raw.snapshots()).toHaveLength(3);
  expect(await raw.scan().toArray()).toHaveLength(9);
});

it("a run in memory commits to a warehouse too", async () => {
  const folder = path.join(work.path, "other");
  await withNames(folder);
  const { code, stdout } = await call(program, ["run", "--partitions", "throws"], { env: { ORCA_WAREHOUSE: folder } });
  expect(stdout).toContain("total = 12\n");
  expect(code).toBe(0);
  await using catalog = openCatalog(folder);
  expect((await catalog.loadTable("lake.raw")).snapshots()).toHaveLength(1);
});
