import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { FIXTURES, readByPyIceberg, rewriteTables, VERSIONS } from "./metadata-tables.ts";
import { python } from "./python.ts";

const ours = mkdtempSync(path.join(tmpdir(), "iceberg-interop-"));
afterAll(() => rmSync(ours, { recursive: true }));

it("metadata and manifests that are written here are read by PyIceberg as those that they were made from", async () => {
  for (const version of VERSIONS) await rewriteTables(FIXTURES, ours, version);
  expect(python("metadata_tables.py", ["read", ours])).toEqual(VERSIONS.map(readByPyIceberg));
});
