import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, write } from "./build.fixture.ts";
import { nativeTree } from "./native-tree.ts";
import { readPackages } from "./package-versions.ts";

const manifest = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, ...more });

it("packages find each other in a tree as where they are installed, in their versions, and without what isn't run", () => {
  const other = process.platform === "linux" ? "darwin" : "linux";
  const folder = write(join(root, "tree"), {
    "node_modules/a/package.json": manifest("a", "1.0.0", {
      dependencies: { b: "1", c: "1" },
      peerDependencies: { peer: "1", types: "1", missing: "1" },
      peerDependenciesMeta: { types: { optional: true } },
    }),
    "node_modules/a/index.d.ts": "",
    "node_modules/a/src/a.cc": "",
    [`node_modules/a/prebuilds/${process.platform}-${process.arch}/a.node`]: "",
    [`node_modules/a/prebuilds/${other}-${process.arch}/a.node`]: "",
    "node_modules/a/node_modules/b/package.json": manifest("b", "1.0.0", { optionalDependencies: { c: "2" } }),
    "node_modules/a/node_modules/b/node_modules/c/package.json": manifest("c", "2.0.0", { dependencies: { b: "1" } }),
    "node_modules/a/node_modules/b/run.sh": "",
    "node_modules/a-again/package.json": manifest("a", "2.0.0"),
    "node_modules/c/package.json": manifest("c", "1.0.0"),
    "node_modules/peer/package.json": manifest("peer", "1.0.0"),
    "node_modules/types/package.json": manifest("types", "1.0.0"),
  });
  symlinkSync(join(folder, "node_modules/c/package.json"), join(folder, "node_modules/a/node_modules/b/link.json"));
  const packages = readPackages();
  const found = (name: string) => packages.find(name, folder)!;
  const tree = nativeTree(
    [
      { name: "a", installed: found("a") },
      { name: "a", installed: found("a-again") },
      { name: "c", installed: found("c") },
    ],
    packages,
  );
  expect(tree.packages).toEqual({
    "a@1.0.0": "node_modules/a",
    "a@2.0.0": "1/node_modules/a",
    "c@1.0.0": "2/node_modules/c",
  });
  expect(tree.files.map(({ path }) => path)).toEqual([
    "1/node_modules/a/package.json",
    "2/node_modules/c/package.json",
    "node_modules/a/node_modules/c/package.json",
    "node_modules/a/package.json",
    `node_modules/a/prebuilds/${process.platform}-${process.arch}/a.node`,
    "node_modules/b/link.json",
    "node_modules/b/package.json",
    "node_modules/b/run.sh",
    "node_modules/c/package.json",
    "node_modules/peer/package.json",
  ]);
});
