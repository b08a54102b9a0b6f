import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ACCESS_KEY,
  type S3Request,
  type S3Server,
  SECRET_KEY,
  startS3,
} from "../../../../objectstore/src/s3/s3-server.fixture.ts";
import { TableFiles } from "../../files/table-files.ts";
import type { Table } from "../../table.ts";
import type { Catalog } from "../catalog.ts";
import { appending } from "../conformance/commits.fixture.ts";
import { COLUMNS, outcomeOf } from "../conformance/test-catalog.fixture.ts";
import { openCatalog } from "../open.ts";
import { FolderOperations } from "./folder-operations.ts";

const HINT = "version-hint.text";

describe("a table in a folder", () => {
  let catalog: Catalog;
  let table: Table;
  const files = new TableFiles();
  const load = () => catalog.loadTable("a.t");
  const hint = async (text: string | undefined) => {
    await files.delete([`${table.location}/metadata/${HINT}`]);
    if (text !== undefined) await files.write(`${table.location}/metadata/${HINT}`, text);
  };
  const names = async () => {
    const found: string[] = [];
    for await (const { uri } of files.list(`${table.location}/metadata`))
      found.push(uri.slice(uri.lastIndexOf("/") + 1));
    return found;
  };

  beforeEach(async () => {
    catalog = openCatalog(`memory:${randomUUID()}`);
    await catalog.createNamespace("a");
    table = await catalog.createTable("a.t", { columns: COLUMNS });
  });
  afterEach(() => catalog[Symbol.asyncDispose]());

  it("has a file for each version, and a hint", async () => {
    await table.setProperties({ a: "1" });
    expect(await names()).toEqual(["v1.metadata.json", "v2.metadata.json", HINT]);
    expect(new TextDecoder().decode(await files.read(`${table.location}/metadata/${HINT}`))).toBe("2");
    expect(table.state.metadataLocation).toBe(`${table.location}/metadata/v2.metadata.json`);
    expect(table.metadata["metadata-log"]).toMatchObject([
      { "metadata-file": `${table.location}/metadata/v1.metadata.json` },
    ]);
  });

  it.each([
    ["missing", undefined],
    ["stale", "1"],
    ["of a version before the first", "0"],
    ["empty", ""],
    ["garbage", "\0\u00ff v3"],
    ["negative", "-1"],
    ["a number too large", "9".repeat(40)],
    ["with a line end", "3\n"],
  ])("is read right when its hint is %s", async (_, text) => {
    await table.setProperties({ a: "1" });
    await table.setProperties({ a: "2" });
    await hint(text);
    expect((await load()).properties).toEqual({ a: "2" });
    expect(await catalog.tableExists("a.t")).toBe(true);
    await (await load()).setProperties({ b: "3" });
    expect((await load()).properties).toEqual({ a: "2", b: "3" });
  });

  it("is refused when the version that the hint names is missing: what it had would be lost by the next commit", async () => {
    await table.setProperties({ a: "1" });
    await files.delete([`${table.location}/metadata/v2.metadata.json`]);
    const sentence = "version-hint.text says 2, and the newest there is";
    await expect(load()).rejects.toMatchObject({ code: "file-missing", message: expect.stringContaining(sentence) });
    await hint(undefined);
    expect((await load()).properties).toEqual({});
  });

  it("is read right when its hint is far behind", async () => {
    for (let i = 0; i < 30; i++) await table.setProperties({ i: String(i) });
    await hint("2");
    expect((await load()).properties).toEqual({ i: "29" });
  });

  it("is found when the version that the hint names was deleted", async () => {
    await table.setProperties({ a: "1" });
    await files.delete([`${table.location}/metadata/v1.metadata.json`]);
    await hint("1");
    expect((await load()).properties).toEqual({ a: "1" });
    await hint("0");
    expect((await load()).properties).toEqual({ a: "1" });
    await expect(catalog.createTable("a.t", { columns: COLUMNS })).rejects.toMatchObject({ code: "table-exists" });
  });

  it("keeps as many former versions as its properties say, and deletes others' files only if they do", async () => {
    await table.setProperties({ "write.metadata.previous-versions-max": "2" });
    for (let i = 0; i < 4; i++) await table.setProperties({ i: String(i) });
    expect(table.metadata["metadata-log"]).toHaveLength(2);
    expect(await names()).toHaveLength(7);
    await table.setProperties({ "write.metadata.delete-after-commit.enabled": "true" });
    await table.setProperties({ i: "5" });
    expect(table.metadata["metadata-log"].map((e) => e["metadata-file"].slice(-16))).toEqual([
      "v6.metadata.json",
      "v7.metadata.json",
    ]);
    expect(await names()).toEqual(["v1", "v2", "v3", "v6", "v7", "v8"].map((v) => `${v}.metadata.json`).concat(HINT));
  });

  it.each([".gz.metadata.json", ".metadata.json.gz"])(
    "whose files are compressed (v2%s) goes on so",
    async (suffix) => {
      await table.setProperties({ a: "1" });
      const { metadataLocation } = table.state;
      const bytes = await files.read(metadataLocation);
      await files.delete([metadataLocation]);
      await files.write(metadataLocation.replace(".metadata.json", suffix), gzipSync(bytes));
      const other = await load();
      expect(other.properties).toEqual({ a: "1" });
      await other.setProperties({ b: "2" });
      expect(await names()).toContain(`v3${suffix}`);
      expect((await files.read(other.state.metadataLocation))[0]).toBe(0x1f);
      expect((await load()).properties).toEqual({ a: "1", b: "2" });
    },
  );

  it("commits to a state that another object has loaded", async () => {
    const state = await new FolderOperations("a.t", table.location, files).load();
    await table.operations.commit(state, appending(state, 7n));
    expect((await load()).metadata["current-snapshot-id"]).toBe(7n);
  });

  it("is no table any more after its last version has vanished", async () => {
    await files.delete([table.state.metadataLocation]);
    expect(await outcomeOf(load())).toBe("table-missing");
    expect(await outcomeOf(table.setProperties({ a: "1" }))).toBe("table-missing");
    expect(await names()).toEqual([HINT]);
  });

  it("can't be elsewhere, be renamed, or have a namespace's name", async () => {
    const elsewhere = { columns: COLUMNS, location: "memory:other/t" };
    expect(await outcomeOf(catalog.createTable("a.u", elsewhere))).toBe("unsupported");
    expect(
      await outcomeOf(catalog.createTable("a.u", { columns: COLUMNS, location: `${table.location.slice(0, -1)}u/` })),
    ).toBe("done");
    expect(await outcomeOf(catalog.renameTable("a.t", "a.x"))).toBe("unsupported");
    await catalog.createNamespace("a.space");
    expect(await outcomeOf(catalog.createTable("a.space", { columns: COLUMNS }))).toBe("namespace-exists");
    expect(await outcomeOf(catalog.createNamespace("a.t"))).toBe("table-exists");
    expect(await outcomeOf(catalog.createTable("a.t.u", { columns: COLUMNS }))).toBe("namespace-missing");
  });

  it("that was dropped leaves its files until it is purged, and is no namespace then", async () => {
    await files.write(`${table.location}/metadata/snap-1.avro`, "x");
    await catalog.dropTable("a.t");
    expect(await names()).toEqual(["snap-1.avro"]);
    expect(await catalog.listNamespaces("a")).toEqual([]);
    expect(await catalog.listTables("a")).toEqual([]);
    expect(await outcomeOf(catalog.dropNamespace("a"))).toBe("invalid-change");
    expect(await outcomeOf(catalog.dropTable("a.t"))).toBe("table-missing");
    await catalog.dropTable("a.t", { purge: true });
    expect(await outcomeOf(catalog.dropTable("a.t", { purge: true }))).toBe("table-missing");
    await catalog.dropNamespace("a");
  });

  it("may be in a namespace that is a folder of others' making", async () => {
    const lake = catalog.location;
    await files.write(`${lake}/theirs/t/metadata/v1.metadata.json`, await files.read(table.state.metadataLocation));
    expect(await catalog.listNamespaces()).toEqual(["a", "theirs"]);
    expect(await catalog.listTables("theirs")).toEqual(["theirs.t"]);
    await catalog.createTable("theirs.u", { columns: COLUMNS });
    expect(await outcomeOf(catalog.createNamespace("theirs"))).toBe("namespace-exists");
  });
});

describe("a table in S3", () => {
  let server: S3Server;
  let catalog: Catalog;
  let table: Table;
  const versions = ({ method, key }: S3Request) => method === "PUT" && key.endsWith(".metadata.json");
  const load = () => catalog.loadTable("a.t");

  beforeEach(async () => {
    server = await startS3("lake");
    catalog = openCatalog(`s3://lake?endpoint=${server.endpoint}&region=eu-west-1`, {
      s3: { credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY }, retryMilliseconds: 1, attempts: 3 },
    });
    await catalog.createNamespace("a");
    table = await catalog.createTable("a.t", { columns: COLUMNS });
  });
  afterEach(async () => {
    await catalog[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it("is committed to by three requests, and loaded by three, however many versions there are", async () => {
    for (const rounds of [1, 20]) {
      for (let i = 0; i < rounds; i++) await table.setProperties({ i: String(i) });
      server.requests.length = 0;
      await table.setProperties({ a: String(rounds) });
      const file = table.state.metadataLocation.slice("s3://lake/".length);
      expect(server.requests.map(({ method, key }) => [method, key])).toEqual([
        ["HEAD", expect.stringMatching(/^a\/t\/metadata\/v\d+\.metadata\.json$/)],
        ["PUT", file],
        ["PUT", `a/t/metadata/${HINT}`],
      ]);
      server.requests.length = 0;
      await load();
      expect(server.requests.map(({ method, key }) => [method, key])).toEqual([
        ["GET", `a/t/metadata/${HINT}`],
        ["HEAD", expect.not.stringContaining(file)],
        ["GET", file],
      ]);
    }
  });

  it.each([
    ["the connection is reset", { do: "reset", isApplied: true }],
    ["the answer is 503", { do: "answer", status: 503, code: "SlowDown", isApplied: true }],
  ] as const)("is committed to once although %s after each attempt", async (_, fault) => {
    server.fail(versions, fault, fault, fault);
    await table.operations.commit(table.state, appending(table.state, 5n));
    expect((await load()).snapshots()).toHaveLength(1);
    expect(server.requests.filter(versions)).toHaveLength(1 + 3);
  });

  it("is created once although the connection is reset after each attempt", async () => {
    const reset = { do: "reset", isApplied: true } as const;
    server.fail(versions, reset, reset, reset);
    const created = await catalog.createTable("a.u", { columns: COLUMNS });
    expect((await catalog.loadTable("a.u")).metadata).toEqual(created.metadata);
  });

  it("isn't known to be committed to while the store answers nothing", async () => {
    const down = { do: "answer", status: 503, code: "SlowDown" } as const;
    server.fail(() => true, { do: "wait", until: Promise.resolve() }, ...Array.from({ length: 6 }, () => down));
    await expect(table.setProperties({ a: "1" })).rejects.toMatchObject({
      code: "commit-unknown",
      message: expect.stringContaining("s3://lake/a/t/metadata/v2.metadata.json"),
    });
  });

  it("isn't known to be committed to when the store is back, but has no such version: it may still come", async () => {
    const down = { do: "answer", status: 503, code: "SlowDown" } as const;
    server.fail(versions, down, down, down);
    expect(await outcomeOf(table.setProperties({ a: "1" }))).toBe("commit-unknown");
    expect((await load()).properties).toEqual({});
  });

  it("is a conflict if another's version is there after the connection was reset", async () => {
    const other = await load();
    server.fail(versions, { do: "reset", isApplied: false });
    const followed = Promise.withResolvers<void>();
    server.fail(versions, { do: "wait", until: followed.promise });
    const before = server.requests.filter(versions).length;
    const outcome = outcomeOf(table.operations.commit(table.state, appending(table.state, 1n)));
    await server.arrived(versions, before + 2);
    await other.operations.commit(other.state, appending(other.state, 2n));
    followed.resolve();
    expect(await outcome).toBe("commit-conflict");
    expect((await load()).metadata["current-snapshot-id"]).toBe(2n);
  });

  it("is committed to although the hint can't be written, and read right then", async () => {
    const denied = { do: "answer", status: 403, code: "AccessDenied" } as const;
    server.fail(({ method, key }) => method === "PUT" && key.endsWith(HINT), denied);
    await table.setProperties({ a: "1" });
    expect((await load()).properties).toEqual({ a: "1" });
  });

  it("whose last file is listed, but vanishes whenever it is read, is an error that names it", async () => {
    const gone = { do: "answer", status: 404, code: "NoSuchKey" } as const;
    server.fail(({ method, key }) => method === "GET" && key !== "", ...Array.from({ length: 20 }, () => gone));
    await expect(load()).rejects.toMatchObject({
      code: "file-missing",
      message: expect.stringContaining("s3://lake/a/t/metadata/v1.metadata.json isn't there any more"),
    });
  });

  it("says what the store says where it refuses a version", async () => {
    server.fail(versions, { do: "answer", status: 403, code: "AccessDenied" });
    await expect(table.setProperties({ a: "1" })).rejects.toMatchObject({
      name: "ObjectStoreError",
      code: "access-denied",
    });
  });
});
