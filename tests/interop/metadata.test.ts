import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FIXTURES, readByPyIceberg, readTables, rewriteTables, VERSIONS } from "./metadata-tables.ts";

const ours = mkdtempSync(path.join(tmpdir(), "iceberg-interop-"));
afterAll(() => rmSync(ours, { recursive: true }));

describe.each(VERSIONS)("version %i", (version) => {
  it("of PyIceberg's is read here as it reads it", async () => {
    const read: unknown = JSON.parse(JSON.stringify(await readTables(FIXTURES, version)));
    expect(read).toEqual(readByPyIceberg(version));
  });

  it("that is written here is read here as the one that it was made from", async () => {
    await rewriteTables(FIXTURES, ours, version);
    const read: unknown = JSON.parse(JSON.stringify(await readTables(ours, version)));
    expect(read).toEqual(readByPyIceberg(version));
  });
});
