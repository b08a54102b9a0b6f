import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTable } from "./catalog/open-table.ts";
import { snapshotParents } from "./history.ts";
import type { Table } from "./table.ts";

let folder: string;
let table: Table;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "iceberg-history-"));
  table = await createTable(`${folder}/t`, { columns: { text: "string" } });
});
afterEach(async () => {
  await table[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const parents = () => new Map(table.snapshots().map((s) => [s["snapshot-id"], s["parent-snapshot-id"]]));

it("has each snapshot and the one it follows on, exactly", async () => {
  expect(await snapshotParents(`${folder}/t`)).toEqual(new Map());
  for (let n = 0; n < 3; n++) await table.append([{ text: "x" }]);
  expect(parents().size).toBe(3);
  expect(await snapshotParents(`${folder}/t`)).toEqual(parents());
  expect(await snapshotParents(table.state.metadataLocation)).toEqual(parents());
});

it("isn't led astray by texts that look like it", async () => {
  await table.setProperties({ '"snapshot-id": 5': '{"snapshot-id": 7, "parent-snapshot-id": 8}', "snapshot-id": "9" });
  await table.append([{ text: "x" }]);
  expect(await snapshotParents(`${folder}/t`)).toEqual(parents());
});

it("is of the newest file, compressed or named by a catalog, whatever a hint says", async () => {
  await table.append([{ text: "x" }]);
  const metadata = `${folder}/t/metadata`;
  const text = await readFile(`${metadata}/v2.metadata.json`);
  await rm(`${metadata}/v2.metadata.json`);
  await writeFile(`${metadata}/v2.gz.metadata.json`, gzipSync(text));
  expect(await snapshotParents(`${folder}/t`)).toEqual(parents());
  await rm(`${metadata}/v1.metadata.json`);
  await rename(`${metadata}/v2.gz.metadata.json`, `${metadata}/00002-a.gz.metadata.json`);
  expect(await snapshotParents(`${folder}/t`)).toEqual(parents());
});

it("is of no table that isn't there, and of none whose metadata can't be read", async () => {
  await expect(snapshotParents(`${folder}/none`)).rejects.toMatchObject({ code: "table-missing" });
  await writeFile(`${folder}/a.metadata.json`, '{"snapshots": 3}');
  await expect(snapshotParents(`${folder}/a.metadata.json`)).rejects.toMatchObject({
    code: "invalid-metadata",
    message: expect.stringContaining("a.metadata.json: "),
  });
});
