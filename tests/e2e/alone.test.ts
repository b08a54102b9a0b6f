/** A build that uses SQL is one file: it runs where there is nothing but Node. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openCatalog } from "@orcajs/iceberg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, type Ended } from "./programs.ts";

const root = path.resolve(import.meta.dirname, "../..");
const oldestNode = path.join(root, "tests/oldest-node/node_modules/node/bin/node");
const folder = mkdtempSync(path.join(tmpdir(), "orca-alone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = path.join(folder, "a lake");
beforeAll(async () => {
  const built = path.join(root, "build/.alone");
  expect(await callOrca(["build", "examples/lake.ts", "-o", built])).toMatchObject({ code: 0, stderr: "" });
  copyFileSync(built, program);
  rmSync(built);
});

describe.each([
  ["this Node", process.execPath],
  ["the oldest Node", oldestNode],
])("a build with ctx.sql that is alone on %s", (name, node) => {
  const home = path.join(folder, name);
  mkdirSync(home);
  const env = { HOME: home, XDG_CACHE_HOME: "", PATH: `${path.dirname(node)}:${process.env["PATH"]}` };
  const inHome = () =>
    readdirSync(home, { recursive: true, encoding: "utf8" }).map((file) => {
      const { ino, mtimeMs } = statSync(path.join(home, file));
      return `${file} ${ino} ${mtimeMs}`;
    });
  const runLake = (...called: readonly [string, ...string[]]): Promise<Ended> =>
    call(called[0], [...called.slice(1), "run", "--partitions", "2025-01-01", "--json"], { cwd: home, env });

  it("describes itself, and unpacks nothing for that", async () => {
    expect(await call(program, ["describe"], { cwd: home, env })).toMatchObject({ code: 0, stderr: "" });
    expect(inHome()).toEqual([]);
  });

  it("runs, and unpacks DuckDB once for all runs", async () => {
    const runs = await Promise.all([runLake(program), runLake(program)]);
    for (const { stdout, stderr } of runs)
      expect(JSON.parse(stdout), stderr).toMatchObject({ outputs: [{ step: "report", output: { days: 1 } }] });
    const unpacked = inHome();
    expect(unpacked.filter((file) => file.includes("libduckdb"))).toHaveLength(1);
    expect((await runLake("../a lake")).code).toBe(0);
    expect((await runLake(node, program)).code).toBe(0);
    expect(inHome()).toEqual(unpacked);
  });
});

it("a build of a keyed pipeline reads its keys where it is alone", async () => {
  const built = path.join(root, "build/.alone-labels");
  await callOrca(["build", "tests/e2e/fixtures/labels.ts", "-o", built, "--no-check"]);
  const labels = path.join(folder, "labels");
  copyFileSync(built, labels);
  rmSync(built);
  const lake = path.join(folder, "lake");
  await using catalog = openCatalog(lake);
  await catalog.createNamespace("av2");
  const logs = await catalog.createTable("av2.logs", { columns: { log_id: "string" } });
  await logs.append([{ log_id: "b" }, { log_id: "a" }]);
  const home = path.join(folder, "home of keys");
  mkdirSync(home);
  const env = { HOME: home, XDG_CACHE_HOME: "", ORCA_WAREHOUSE: lake };
  const keys = await call(labels, ["keys"], { cwd: home, env });
  expect(keys).toMatchObject({ code: 0, stdout: expect.stringMatching(/^av2\.logs@\d+\na\nb\n$/) as unknown });
  const all = await call(labels, ["run", "--partitions", "@all"], { cwd: home, env });
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("count = 2\n") as unknown });
});

it("a build without ctx.sql, tables and keys, or with --no-native, carries no packages", async () => {
  const built = path.join(folder, "small");
  for (const words of [["examples/toy.ts"], ["examples/lake.ts", "--no-native"]]) {
    expect((await callOrca(["build", ...words, "-o", built, "--no-check"])).code).toBe(0);
    expect(statSync(built).size).toBeLessThan(1 << 20);
  }
});
