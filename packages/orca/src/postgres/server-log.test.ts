import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { LOG_BYTES_MAX, logOf, oldLogOf } from "./places.ts";
import { ServerLog } from "./server-log.ts";

const home = mkdtempSync(path.join(tmpdir(), "orca-log-"));
afterAll(() => rmSync(home, { recursive: true }));

it("keeps what was said last, in two files of bounded size that only their owner reads", () => {
  const log = new ServerLog(home);
  const line = `${"x".repeat(1023)}\n`;
  for (let i = 0; i < (3 * LOG_BYTES_MAX) / line.length; i++) log.write(line);
  log.write("the last\n[7] FATAL:  the database system is starting up\nand a beg");
  log.write("inning\n");
  expect(readFileSync(logOf(home), "utf8")).toMatch(/ is starting up\nand a beginning\n$/);
  expect(log.lines.slice(-2)).toEqual(["the last", "and a beginning"]);
  expect(log.lines).toHaveLength(200);
  for (const file of [logOf(home), oldLogOf(home)]) {
    expect(statSync(file).size).toBeLessThanOrEqual(LOG_BYTES_MAX + line.length);
    expect(statSync(file).mode & 0o077).toBe(0);
  }
});
