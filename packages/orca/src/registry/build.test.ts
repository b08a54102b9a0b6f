import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { build, HEAD, project, root, run, TAIL, write } from "./build.fixture.ts";

describe("a built file", () => {
  it("is executable, and runs wherever it is put", async () => {
    const folder = project({ "lake.ts": `${HEAD}const a = async () => import.meta.dirname;${TAIL}` });
    const { out, bytes } = await build(folder);
    expect(out).toBe(join(folder, "build/lake"));
    expect(statSync(out).mode & 0o777).toBe(0o755);
    expect(statSync(out).size).toBe(bytes);
    expect(readFileSync(out, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    for (const [name, manifest] of [
      ["module", `{ "type": "module" }`],
      ["commonjs", `{ "type": "commonjs" }`],
      ["none", "{}"],
    ]) {
      const elsewhere = write(join(root, `elsewhere/${name}`), { "package.json": manifest! });
      cpSync(out, join(elsewhere, "lake"));
      symlinkSync(join(elsewhere, "lake"), join(elsewhere, "link"));
      for (const file of ["lake", "link"]) {
        expect(await run(join(elsewhere, file), "describe")).toEqual({
          code: 0,
          complained: "",
          printed: [{ name: "p", isPipeline: true, loaded: 0, file: join(elsewhere, "lake"), read: "#!", join: "a/b" }],
        });
      }
      expect((await run(join(elsewhere, "lake"), "run")).printed).toEqual([elsewhere]);
    }
    const direct = await new Promise<string>((resolve) => execFile(out, ["describe"], (_, stdout) => resolve(stdout)));
    expect(direct).toContain(`"name":"p"`);
  });

  it("takes the place of an older one, and leaves nothing beside it", async () => {
    const folder = project({ "lake.ts": `${HEAD}const a = async () => 1;${TAIL}` });
    const { out } = await build(folder);
    const { ino } = statSync(out);
    write(folder, { "lake.ts": `${HEAD}const a = async () => 2;${TAIL}` });
    await build(folder);
    expect(statSync(out).ino).not.toBe(ino);
    expect((await run(out, "run")).printed).toEqual([2]);
    expect(readdirSync(dirname(out))).toEqual(["lake"]);
  });

  it("knows what code it is, and where that is", async () => {
    const folder = project({ "lake.ts": `${HEAD}const a = async () => 1;${TAIL}` });
    const { out, built } = await build(folder, {
      source: { repository: "git@github.com:a/b.git", commit: "c0ffee", dirty: false },
    });
    expect(built).toEqual({
      format: 1,
      orca: "0.1.0",
      registry: {
        pipeline: "p",
        hash: expect.stringMatching(/^0x[0-9a-f]{16}$/),
        complete: true,
        steps: [{ name: "a", kind: "mapped", hash: expect.any(String), own: expect.any(String), packages: [] }],
        tasks: [],
      },
      source: {
        repository: "https://github.com/a/b",
        commit: "c0ffee",
        dirty: false,
        locations: { pipeline: { file: "lake.ts", line: 3 }, steps: { a: { file: "lake.ts", line: 3 } }, tasks: {} },
      },
    });
    expect((await run(out, "built")).printed).toEqual([built]);
  });

  it("is the same for the same code", async () => {
    const folder = project({ "lake.ts": `${HEAD}import fs from "node:fs"; const a = async () => typeof fs;${TAIL}` });
    const first = readFileSync((await build(folder)).out, "utf8");
    expect(readFileSync((await build(folder)).out, "utf8")).toBe(first);
  });

  it("is the same wherever it was built, also with packages and files that stay outside of it", async () => {
    const files = {
      "lake.ts": `${HEAD}import { x } from "native"; const a = async () => [x, require("./own.node")];${TAIL}`,
      "own.node": "",
      "node_modules/native/package.json": `{ "name": "native", "version": "1.0.0" }`,
      "node_modules/native/index.js": "exports.x = 1;",
      "node_modules/native/native.node": "",
    };
    const texts = await Promise.all(
      [project(files), project(files)].map(async (folder) => readFileSync((await build(folder)).out, "utf8")),
    );
    expect(texts[0]).toContain('"native"');
    expect(texts[1]).toBe(texts[0]);
  });
});
