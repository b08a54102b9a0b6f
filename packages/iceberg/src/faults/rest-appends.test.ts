import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../catalog/catalog.ts";
import { outcomeOf } from "../catalog/conformance/test-catalog.fixture.ts";
import { openCatalog } from "../catalog/open.ts";
import type { RestRequest } from "../catalog/rest/rest-messages.fixture.ts";
import { type RestFault, type RestServer, startRest } from "../catalog/rest/rest-server.fixture.ts";
import type { Table } from "../table.ts";

const commits = ({ method, path: at }: RestRequest) => method === "POST" && /^\/v1\/namespaces\/a\/tables\/./.test(at);
const loads = ({ method, path: at }: RestRequest) => method === "GET" && /\/tables\/./.test(at);
const down = { do: "answer", status: 503 } as const;

let folder: string;
let server: RestServer;
let catalog: Catalog;
let table: Table;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "rest-appends-"));
  server = await startRest({ warehouse: folder, credential: "me:s3cret" });
  const rest = { credential: "me:s3cret", retryMilliseconds: 1 };
  catalog = openCatalog(`rest+${server.endpoint}`, { rest, engine: { threads: 1 } });
  await catalog.createNamespace("a");
  table = await catalog.createTable("a.t", { columns: { n: "long" } });
  await table.append([{ n: 1 }]);
});
afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const rowsOf = async (name = "a.t") =>
  (await (await catalog.loadTable(name)).scan<{ n: bigint }>().toArray())
    .map(({ n }) => Number(n))
    .toSorted((a, b) => a - b);
const dataFiles = async () =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".parquet")).length;

describe("an append to a REST catalog's table", () => {
  it.each<[string, readonly RestFault[]]>([
    ["500, although it was applied", [{ do: "answer", status: 500, isApplied: true }]],
    ["502, although it was applied", [{ do: "answer", status: 502, isApplied: true }]],
    ["504, although it was applied", [{ do: "answer", status: 504, isApplied: true }]],
    ["nothing, although it was applied (known fault 16)", [{ do: "reset", isApplied: true }]],
    [
      "409, as it was applied at the first of two times",
      [
        { do: "reset", isApplied: true },
        { do: "answer", status: 409 },
      ],
    ],
    ["503 and nothing, and wasn't applied", [down, { do: "reset", isApplied: false }]],
    ["429", [{ do: "answer", status: 429, headers: { "retry-after": "0" } }]],
  ])("that is answered by %s has its rows there once", async (_, faults) => {
    server.fail(commits, ...faults);
    await table.append([{ n: 2 }]);
    expect(await rowsOf()).toEqual([1, 2]);
    expect((await catalog.loadTable("a.t")).snapshots()).toHaveLength(2);
    expect(await dataFiles()).toBe(2);
    await table.append([{ n: 3 }]);
    expect(await rowsOf()).toEqual([1, 2, 3]);
  });

  it("whose token is over in the midst of it goes on with another", async () => {
    const rows = async function* () {
      yield { n: 2 };
      server.revokeTokens();
      yield { n: 3 };
    };
    await table.append(rows());
    expect(await rowsOf()).toEqual([1, 2, 3]);
  });

  it("goes beside what others have committed meanwhile", async () => {
    const other = await catalog.loadTable("a.t");
    await other.append([{ n: 2 }]);
    await other.setProperties({ a: "1" });
    await table.append([{ n: 3 }]);
    expect(await rowsOf()).toEqual([1, 2, 3]);
    expect(table.snapshots().map((snapshot) => snapshot["sequence-number"])).toEqual([1, 2, 3]);
  });

  it("is a conflict once the columns have changed, and leaves nothing", async () => {
    const other = await catalog.loadTable("a.t");
    await other.changeSchema([{ change: "add", column: "x", type: "int?" }]);
    await expect(table.append([{ n: 2 }])).rejects.toMatchObject({
      code: "commit-conflict",
      message: expect.stringContaining("columns of a.t") as string,
    });
    expect(await dataFiles()).toBe(1);
  });

  it("to one that was dropped meanwhile says so, and leaves nothing", async () => {
    await catalog.dropTable("a.t");
    const left = await dataFiles();
    await expect(table.append([{ n: 2 }])).rejects.toMatchObject({
      code: "table-missing",
      message: expect.stringContaining("a.t") as string,
    });
    expect(await dataFiles()).toBe(left);
  });

  it("to one that was dropped and made anew meanwhile is a conflict", async () => {
    await catalog.dropTable("a.t");
    await catalog.createTable("a.t", { columns: { n: "long" } });
    expect(await outcomeOf(table.append([{ n: 2 }]))).toBe("commit-conflict");
    expect(await rowsOf()).toEqual([]);
  });

  it("that is refused leaves nothing", async () => {
    server.fail(commits, { do: "answer", status: 400 });
    expect(await outcomeOf(table.append([{ n: 2 }]))).toBe("catalog-failed");
    expect(await dataFiles()).toBe(1);
  });

  it("of which it isn't known whether it was applied leaves its files: it may be there", async () => {
    server.fail(commits, { do: "answer", status: 500, isApplied: true });
    server.fail(loads, down, down, down, down, down);
    expect(await outcomeOf(table.append([{ n: 2 }]))).toBe("commit-unknown");
    expect(await rowsOf()).toEqual([1, 2]);
  });

  it("that was applied, and whose table was renamed before it could look, leaves its files to it", async () => {
    server.fail(commits, { do: "reset", isApplied: true });
    const renamed = {
      do: "wait",
      get until() {
        return catalog.renameTable("a.t", "a.u");
      },
    } as const;
    server.fail(loads, renamed);
    expect(await outcomeOf(table.append([{ n: 2 }]))).toBe("commit-unknown");
    expect(await rowsOf("a.u")).toEqual([1, 2]);
  });
});
