/** Folders that other implementations write tables into, deleted at the end of the test file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** A new folder, which is deleted after the tests of the file. */
export function warehouse(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "iceberg-interop-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
