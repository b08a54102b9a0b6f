import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTables, rewriteTables, VERSIONS } from "./tables.ts";

const fixtures = path.join(import.meta.dirname, "fixtures");
const ours = mkdtempSync(path.join(tmpdir(), "iceberg-interop-"));
afterAll(() => rmSync(ours, { recursive: true }));

/** A Python that has PyIceberg: where there is none, what it would read is only read by this package. */
const python = process.env["ICEBERG_PYTHON"];

describe.each(VERSIONS)("version %i", (version) => {
  const expected: unknown = JSON.parse(readFileSync(path.join(fixtures, `v${version}.read.json`), "utf8"));

  it("of PyIceberg's is read here as it reads it", async () => {
    const read: unknown = JSON.parse(JSON.stringify(await readTables(fixtures, version)));
    expect(read).toEqual(expected);
  });

  it("that is written here is read here as the one that it was made from", async () => {
    await rewriteTables(fixtures, ours, version);
    const read: unknown = JSON.parse(JSON.stringify(await readTables(ours, version)));
    expect(read).toEqual(expected);
  });
});

it.skipIf(python === undefined)(
  "that is written here is read by PyIceberg as the one that it was made from",
  async () => {
    for (const version of VERSIONS) await rewriteTables(fixtures, ours, version);
    const script = path.join(import.meta.dirname, "pyiceberg_tables.py");
    const read: unknown = JSON.parse(execFileSync(python!, [script, "read", ours], { encoding: "utf8" }));
    const expected: unknown[] = VERSIONS.map((version) =>
      JSON.parse(readFileSync(path.join(fixtures, `v${version}.read.json`), "utf8")),
    );
    expect(read).toEqual(expected);
  },
);
