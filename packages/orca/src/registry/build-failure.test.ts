import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BuildOptions } from "./build.ts";
import { build, HEAD, project, root, write, type Files } from "./build.fixture.ts";

describe("a build is refused", () => {
  const lake = (text: string): Files => ({ "lake.ts": text });
  it.each<[string, Files, Partial<BuildOptions>, string]>([
    [
      "without a default export",
      lake("export const a = 1;"),
      {},
      "lake.ts has no default export: end it with export default pipeline(…)",
    ],
    ["of a file that isn't there", lake(""), { file: "nowhere.ts" }, "there is no file nowhere.ts"],
    ["of a folder", lake(""), { file: "." }, ". is a folder: give the pipeline's file"],
    [
      "of another kind of file",
      { ...lake(""), "lake.txt": "" },
      { file: "lake.txt" },
      "lake.txt isn't TypeScript or JavaScript: its name must end in .ts, .mts, .cts, .tsx, .js, .mjs, .cjs, .jsx",
    ],
    ["with a syntax error", lake("export default 1;\nconst é = 'é'; const x = ;"), {}, `lake.ts:2:26: Unexpected ";"`],
    [
      "in several places",
      lake(`import "./x.ts";\nimport y from "leftpad/y";\nimport z from "leftpad";\nexport default [y, z];`),
      {},
      "lake.ts:1:8: there is no file ./x.ts\nlake.ts:2:15: the package leftpad isn't installed: run npm install leftpad\nlake.ts:3:15: the package leftpad isn't installed: run npm install leftpad",
    ],
    [
      "where a part has a syntax error",
      { ...lake(`export { default } from "./lib/x.ts";`), "lib/x.ts": "let 1;" },
      {},
      `lib/x.ts:1:5: Expected ";" but found "1"`,
    ],
    [
      "over the pipeline's own file",
      lake(""),
      { out: "lake.ts" },
      "lake.ts is the pipeline's own file: write the build to another",
    ],
    [
      "over a folder",
      { ...lake("export default 1;"), "build/x": "" },
      { out: "build" },
      "build is a folder: give the file to write, such as build/lake",
    ],
  ])("%s", async (_, files, options, message) => {
    const folder = project(files);
    await expect(build(folder, options)).rejects.toThrow(expect.objectContaining({ code: "build-failed", message }));
    expect(existsSync(join(folder, "build/lake"))).toBe(false);
  });

  it("where orcajs isn't installed", async () => {
    const folder = write(join(root, "no-orca"), lake("export default 1;"));
    await expect(build(folder)).rejects.toThrow(
      expect.objectContaining({
        code: "build-failed",
        message: "the package orcajs isn't installed: run npm install orcajs",
      }),
    );
    write(folder, lake(`${HEAD}export default pipeline;`));
    await expect(build(folder)).rejects.toThrow(
      "lake.ts:1:43: the package orcajs isn't installed: run npm install orcajs",
    );
  });

  it("where it can't be written", async () => {
    const folder = project({ ...lake("export default 1;"), build: "a file" });
    await expect(build(folder, { out: "build/lake" })).rejects.toThrow(
      /build\/lake can't be written: .*(EEXIST|ENOTDIR)/,
    );
  });

  it("once it is aborted", async () => {
    const folder = project(lake("export default 1;"));
    await expect(build(folder, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });
});
