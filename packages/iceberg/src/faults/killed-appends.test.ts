import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACCESS_KEY, type S3Request, SECRET_KEY, startS3 } from "../../../objectstore/src/s3/s3-server.fixture.ts";
import { FolderOperations } from "../catalog/folder/folder-operations.ts";
import { type CatalogOptions, openCatalog } from "../catalog/open.ts";
import { TableFiles } from "../files/table-files.ts";
import { type OrphanOptions, removeOrphans } from "../maintenance/remove-orphans.ts";
import { manifestsOf } from "../scan/manifest-source.ts";
import type { Table } from "../table.ts";

const BEFORE = [1, 2];
const AFTER = [...BEFORE, 10, 11];
const STEPS_MAX = 100;

/** A lake with a table that has two rows, in two snapshots. */
async function fill(lake: string, options: CatalogOptions): Promise<void> {
  await using catalog = openCatalog(lake, options);
  await catalog.createNamespace("a");
  const table = await catalog.createTable("a.t", { columns: { n: "long" } });
  await table.append([{ n: 1 }]);
  await table.append([{ n: 2 }]);
}

function start(lake: string, options: CatalogOptions, at: string): ChildProcess {
  const words = [path.join(import.meta.dirname, "killed-append.fixture.ts"), lake, JSON.stringify(options), at];
  return spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
}

const sorted = (numbers: readonly bigint[]) => numbers.map(Number).toSorted((a, b) => a - b);
const rowsOf = async (table: Table) => sorted((await table.scan<{ n: bigint }>().toArray()).map(({ n }) => n));

/** All that a table needs to be read as it is and was, and the hint. */
async function filesOf(table: Table): Promise<ReadonlySet<string>> {
  const { operations, metadata, state, location } = table;
  const files = [state.metadataLocation, `${location}/metadata/version-hint.text`];
  for (const entry of metadata["metadata-log"]) files.push(entry["metadata-file"]);
  for (const snapshot of metadata.snapshots) {
    files.push(snapshot["manifest-list"]!);
    for (const manifest of await manifestsOf(operations.files, snapshot, {})) files.push(manifest.path);
    const tasks = await table.scan({ snapshot: { id: snapshot["snapshot-id"] } }).files();
    files.push(...tasks.map(({ file }) => file.file.path));
  }
  return new Set(files);
}

/** What must be whenever an append was killed. Gives whether it was applied. */
async function expectBeforeOrAfter(lake: string, options: CatalogOptions, old: OrphanOptions): Promise<boolean> {
  await using catalog = openCatalog(lake, options);
  const table = await catalog.loadTable("a.t");
  const rows = await rowsOf(table);
  const isApplied = table.snapshots().length === 3;
  expect(rows).toEqual(isApplied ? AFTER : BEFORE);

  const has = await filesOf(table);
  const left: string[] = [];
  for await (const { uri } of table.operations.files.list(table.location)) if (!has.has(uri)) left.push(uri);
  const orphans = await removeOrphans(table.operations, old);
  expect(orphans.map(({ uri }) => uri).toSorted()).toEqual(left.toSorted());
  expect(await removeOrphans(table.operations, old)).toEqual([]);

  await table.append([{ n: 20 }]);
  const next = await catalog.loadTable("a.t");
  expect(await rowsOf(next)).toEqual([...rows, 20]);
  return isApplied;
}

describe("an append in a folder that is killed", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "killed-appends-"));
    await fill(path.join(root, "lake"), {});
    await rename(path.join(root, "lake"), path.join(root, "filled"));
  });
  afterAll(() => rm(root, { recursive: true }));

  const inFolder = async (at: string) => {
    const lake = path.join(root, "lake");
    await rm(lake, { recursive: true, force: true });
    await cp(path.join(root, "filled"), lake, { recursive: true });
    const [code, signal] = (await once(start(lake, {}, at), "exit")) as [number | null, string | null];
    if (code === 0) return "ended" as const;
    expect(signal).toBe("SIGKILL");
    // no file is deleted that is younger than the default says
    const operations = new FolderOperations("a.t", `${lake}/a/t`, new TableFiles());
    expect(await removeOrphans(operations)).toEqual([]);
    await age(lake);
    const isApplied = await expectBeforeOrAfter(lake, {}, {});
    const own = (await readdir(lake, { recursive: true })).filter((name) => path.basename(name).startsWith(".~"));
    expect(own).toEqual([]);
    return isApplied ? ("applied" as const) : ("not applied" as const);
  };

  it("at any step of it is there wholly or not at all, leaves only orphans, and is in nobody's way", async () => {
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== "ended" && outcomes.length < STEPS_MAX)
      outcomes.push(await inFolder(String(outcomes.length + 1)));
    const applied = outcomes.indexOf("applied");
    expect(applied).toBeGreaterThan(10);
    expect(outcomes.slice(0, applied).every((outcome) => outcome === "not applied")).toBe(true);
    expect(outcomes.slice(applied, -1).every((outcome) => outcome === "applied")).toBe(true);
    expect(outcomes.at(-1)).toBe("ended");
  }, 300_000);

  it("while its data file is written isn't there, and leaves only orphans", async () => {
    expect(await inFolder("copy")).toBe("not applied");
  }, 60_000);
});

describe("an append in S3 that is killed", () => {
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  const KINDS: Readonly<Record<string, RegExp>> = {
    "data file": /\.parquet$/,
    manifest: /-m\d+\.avro$/,
    "manifest list": /\/snap-[^/]*$/,
    "metadata file": /\.metadata\.json$/,
    hint: /version-hint\.text$/,
  };

  it.each([
    ["before", "data file", false],
    ["after", "data file", false],
    ["before", "manifest", false],
    ["after", "manifest", false],
    ["before", "manifest list", false],
    ["after", "manifest list", false],
    ["before", "metadata file", false],
    ["after", "metadata file", true],
    ["before", "hint", true],
    ["after", "hint", true],
  ])(
    "%s its %s is put is there wholly or not at all, leaves only orphans, and is in nobody's way",
    async (when, what, isThere) => {
      await using server = await startS3("lake");
      const options = { s3: { endpoint: server.endpoint, region: "eu-west-1", credentials } };
      await fill("s3://lake", options);
      const temporaryFolder = await mkdtemp(path.join(tmpdir(), "killed-appends-"));
      const child = start("s3://lake", { ...options, engine: { temporaryFolder } }, "");
      const exited = once(child, "exit");
      const isPut = ({ method, key }: S3Request) => method === "PUT" && KINDS[what]!.test(key);
      server.fail((request) => isPut(request) && child.kill("SIGKILL"), { do: "reset", isApplied: when === "after" });
      expect(await exited).toEqual([null, "SIGKILL"]);
      const later = { olderThan: new Date(Date.now() + 60_000), allowsRecent: true };
      expect(await expectBeforeOrAfter("s3://lake", options, later)).toBe(isThere);
      await rm(temporaryFolder, { recursive: true });
    },
    60_000,
  );
});

it("16: an append in S3 is one snapshot, with its rows once, where the reply to the metadata swap is lost", async () => {
  await using server = await startS3("lake");
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  await using catalog = openCatalog("s3://lake", {
    s3: { endpoint: server.endpoint, region: "eu-west-1", credentials },
  });
  await catalog.createNamespace("a");
  const table = await catalog.createTable("a.t", { columns: { n: "long" } });
  const isSwap = ({ method, key }: S3Request) => method === "PUT" && key.endsWith(".metadata.json");
  server.fail(isSwap, { do: "reset", isApplied: true });
  await table.append([{ n: 1 }, { n: 2 }]);
  expect(server.requests.filter(isSwap).length).toBeGreaterThan(2); // the table's, and the append's, twice
  const found = await catalog.loadTable("a.t");
  expect(found.snapshots()).toHaveLength(1);
  expect(await rowsOf(found)).toEqual([1, 2]);
});

/** Makes all files four days older. */
async function age(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, name);
    const { mtimeMs } = await stat(file);
    const old = new Date(mtimeMs - 4 * 24 * 3_600_000);
    await utimes(file, old, old);
  }
}
