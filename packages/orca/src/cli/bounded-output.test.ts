import { closeSync, mkdtempDisposableSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { boundOutput } from "./bounded-output.ts";

it("of what is printed the last is kept, and what is printed next comes behind it", () => {
  using work = mkdtempDisposableSync(path.join(tmpdir(), "orca-bounded-"));
  const file = path.join(work.path, "driver.log");
  const descriptor = openSync(file, "a+");
  for (let line = 1; line <= 1_000; line++) writeSync(descriptor, `line ${line}\n`);
  boundOutput(descriptor, 100)[Symbol.dispose]();
  writeSync(descriptor, "the end\n");
  closeSync(descriptor);
  const [first, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(first).toMatch(/^… \d+ bytes were printed before, and left out$/);
  expect(lines.at(0)).toMatch(/^line 99\d$/);
  expect(lines.slice(-2)).toEqual(["line 1000", "the end"]);
});

it("less is left as it is", () => {
  using work = mkdtempDisposableSync(path.join(tmpdir(), "orca-bounded-"));
  const file = path.join(work.path, "driver.log");
  const descriptor = openSync(file, "a+");
  writeSync(descriptor, "x".repeat(100));
  boundOutput(descriptor, 100)[Symbol.dispose]();
  closeSync(descriptor);
  expect(statSync(file).size).toBe(100);
});
