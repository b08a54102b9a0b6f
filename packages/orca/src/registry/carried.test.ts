/** Builds that carry packages with native code; what stands for such a package here is one with an empty file `.node`. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build, HEAD, ORCA, project, root, run, TAIL, write, type Files, type Ran } from "./build.fixture.ts";

const NATIVE: Files = {
  "node_modules/outer/package.json": `{ "name": "outer", "version": "1.0.0", "dependencies": { "native": "1" } }`,
  "node_modules/outer/index.js": `exports.y = require("native").x + 1; exports.at = __dirname;`,
  "node_modules/native/package.json": `{ "name": "native", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/native/index.js": "exports.x = 1;",
  "node_modules/native/native.node": "",
};
const CODE = `${HEAD}import { y, at } from "outer"; import { Worker } from "node:worker_threads";
const about = (file: unknown) => ({ file, main: require.main?.filename, argv: process.argv, flags: process.execArgv,
  globals: ["fs", "path", "module", "require", "__filename", "s", "b"].filter((name) => name in globalThis) });
const a = async (_: unknown, word: string) => {
  if (word === "native") return [y, at];
  if (word === "fail") throw new Error("no");
  if (word?.endsWith(".mjs")) return await new Promise((resolve) => {
    const code = 'const { parentPort, workerData } = require("worker_threads"); require("child_process").fork(workerData).once("message", (said) => parentPort.postMessage(said));';
    new Worker(code, { eval: true, workerData: word }).once("message", resolve);
  });
  return about(import.meta.filename);
};`;

/** A build in a folder of its own, without packages near it. */
let file: string;
beforeAll(async () => {
  const { out } = await build(project({ "lake.ts": CODE + TAIL, ...NATIVE }));
  file = join(write(join(root, "put/some where else"), { "package.json": `{ "type": "module" }` }), "lake");
  cpSync(out, file);
});

let homes = 0;
function newHome(): string {
  const home = join(root, `home-${++homes}`);
  mkdirSync(home);
  return home;
}

interface Calling {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Calls a file as a program. */
async function call(program: string, words: readonly string[], { home, env, cwd }: Calling): Promise<Ran> {
  return await new Promise((resolve) => {
    const all = { ...process.env, XDG_CACHE_HOME: "", HOME: home, TMPDIR: join(home, "tmp"), ...env };
    execFile(program, words, { env: all, cwd }, (error, stdout, complained) => {
      const printed = stdout.split("\n").filter((line) => line !== "");
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, printed: printed.map((line) => JSON.parse(line) as unknown), complained });
    });
  });
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));

describe("a build that carries packages with native code", () => {
  it("unpacks them into the user's cache, once, when one is first used", async () => {
    const home = newHome();
    for (const words of [["describe"], ["run"]]) expect((await call(file, words, { home })).code).toBe(0);
    expect(filesIn(home)).toEqual([]);

    const [, at] = (await call(file, ["run", "native"], { home })).printed[0] as [number, string];
    const modules = dirname(at);
    expect(dirname(dirname(modules))).toBe(join(home, ".cache/orca/native"));
    expect(statSync(join(home, ".cache/orca")).mode & 0o077).toBe(0);
    const about = (one: string) => `${relative(modules, one)} ${statSync(one).ino} ${statSync(one).mtimeMs}`;
    const unpacked = filesIn(home).map(about);
    expect(new Set(unpacked.map((text) => `node_modules/${text.split(" ")[0]}`))).toEqual(new Set(Object.keys(NATIVE)));
    expect((await call(file, ["run", "native"], { home })).printed).toEqual([[2, at]]);
    expect(filesIn(home).map(about)).toEqual(unpacked);
  });

  it("unpacks them for all that are started at once", async () => {
    const home = newHome();
    const all = await Promise.all(Array.from({ length: 5 }, () => call(file, ["run", "native"], { home })));
    for (const one of all) expect(one).toMatchObject({ code: 0, complained: "", printed: [[2, expect.any(String)]] });
    expect(filesIn(home)).toHaveLength(Object.keys(NATIVE).length);
  });

  it("mends what was unpacked and isn't whole", async () => {
    const home = newHome();
    const [, at] = (await call(file, ["run", "native"], { home })).printed[0] as [number, string];
    truncateSync(join(at, "index.js"), 10);
    rmSync(join(at, "package.json"));
    expect((await call(file, ["run", "native"], { home })).printed).toEqual([[2, at]]);
  });

  it("unpacks them into a private folder among the temporary files where the cache can't be written", async () => {
    const home = newHome();
    writeFileSync(join(home, ".cache"), "");
    mkdirSync(join(home, "tmp"));
    const temporary = join(home, `tmp/orca-${process.getuid!()}`);
    const [, at] = (await call(file, ["run", "native"], { home })).printed[0] as [number, string];
    expect(at.startsWith(`${temporary}/native/`)).toBe(true);
    expect(statSync(temporary).mode & 0o777).toBe(0o700);
  });

  it("takes no code from a folder that others can write to, and says what to do", async () => {
    const home = newHome();
    writeFileSync(join(home, ".cache"), "");
    const temporary = join(home, `tmp/orca-${process.getuid!()}`);
    mkdirSync(temporary, { recursive: true });
    chmodSync(temporary, 0o777);
    expect((await call(file, ["run", "native"], { home })).printed).toEqual([
      {
        error: expect.stringMatching(
          /^the native code in .*lake can't be unpacked: .*: set XDG_CACHE_HOME to a folder that can be written$/,
        ),
        at: "lake.ts:6:34",
      },
    ]);
    const cache = join(home, "cache");
    expect((await call(file, ["run", "native"], { home, env: { XDG_CACHE_HOME: cache } })).printed).toEqual([
      [2, expect.stringContaining(`${cache}/orca/native/`)],
    ]);
  });

  it("uses those that are installed near it", async () => {
    const home = newHome();
    const folder = write(join(root, "installed"), NATIVE);
    cpSync(file, join(folder, "lake"));
    expect((await call(join(folder, "lake"), ["run", "native"], { home })).printed).toEqual([
      [2, join(folder, "node_modules/outer")],
    ]);
    expect(filesIn(home)).toEqual([]);
  });

  it("says what it was built for where that is another machine", async () => {
    const text = readFileSync(file, "latin1").replace(`"platform":"${process.platform}"`, (found) =>
      found.replace(/."$/, `0"`),
    );
    const other = join(dirname(file), "other");
    writeFileSync(other, text, { encoding: "latin1", mode: 0o755 });
    const [{ error }] = (await call(other, ["run", "native"], { home: newHome() })).printed as [{ error: string }];
    expect(error).toMatch(
      /^.* where else\/other was built for \w+0 [\w ]+ with Node \d+, and this is [\w ]+ with Node \d+: build it here, or run npm install outer@1\.0\.0 in .*$/,
    );
  });

  it("says what it was built for where a package can't be loaded", async () => {
    const folder = project({
      "lake.ts": `${HEAD}import { x } from "native"; const a = async () => x;${TAIL}`,
      ...NATIVE,
      "node_modules/native/index.js": `throw new Error("compiled against a different Node.js version");`,
    });
    const alone = join(dirname(file), "unloadable");
    cpSync((await build(folder)).out, alone);
    const [{ error }] = (await call(alone, ["run"], { home: newHome() })).printed as [{ error: string }];
    expect(error).toMatch(
      /^the package native 1\.0\.0 in \S+ can't be loaded on \w+ \w+: compiled against a different Node\.js version; .*unloadable was built for [\w ]+ with Node \d+: build it here, or run npm install native@1\.0\.0 in .*$/,
    );
  });

  it("says that it was cut short", async () => {
    const cut = join(dirname(file), "cut");
    cpSync(file, cut);
    truncateSync(cut, statSync(cut).size - 20);
    const [{ error }] = (await call(cut, ["run", "native"], { home: newHome() })).printed as [{ error: string }];
    expect(error).toBe(`${cut} was cut short, damaged or replaced: copy it or build it again`);
  });
});

describe("the process of such a build", () => {
  it("knows nothing of how it was started", async () => {
    const home = newHome();
    symlinkSync(file, join(root, "a link"));
    const flags = ["--no-warnings"];
    const started: [string, readonly string[], string, readonly string[]][] = [
      [file, [], file, []],
      [`./${relative(root, file)}`, [], file, []],
      [join(root, "a link"), [], join(root, "a link"), []],
      [process.execPath, [file], file, []],
      [process.execPath, [...flags, `./${relative(root, file)}`], file, flags],
    ];
    for (const [program, words, called, expected] of started) {
      const { printed, complained } = await call(program, [...words, "run", "--x"], { home, cwd: root });
      const main = program === process.execPath ? {} : { main: file };
      const argv = [process.execPath, called, "run", "--x"];
      expect({ printed, complained }).toEqual({
        printed: [{ file, ...main, argv, flags: expected, globals: [] }],
        complained: "",
      });
    }
  });

  it("may start a worker thread that forks a process", async () => {
    const child = join(write(join(root, "child"), { "child.mjs": "process.send(import.meta.url);" }), "child.mjs");
    const { printed, complained } = await call(file, ["run", child], { home: newHome() });
    expect({ printed, complained }).toEqual({ printed: [`file://${child}`], complained: "" });
  });

  it("knows where in the source its errors are", async () => {
    for (const options of ["", "--enable-source-maps"])
      for (const [program, ...words] of [[file], [process.execPath, file]] as const) {
        const env = { NODE_OPTIONS: options };
        expect((await call(program, [...words, "run", "fail"], { home: newHome(), env })).printed).toEqual([
          { error: "no", at: "lake.ts:7:30" },
        ]);
      }
  });

  it("ends with a sentence on an error when the file is loaded", async () => {
    const folder = project({ "lake.ts": `${CODE}\nthrow new Error("no");${TAIL}`, ...NATIVE });
    const { out } = await build(folder);
    expect(readFileSync(out, "latin1")).toContain(" -S node -e ");
    expect(await call(out, ["describe"], { home: newHome() })).toEqual({
      code: 2,
      printed: [],
      complained: "lake.ts:14:7: no\n",
    });
  });
});

describe("what a build carries", () => {
  const NODE = /^#!\/usr\/bin\/env node\n/;

  it("is nothing where it is told so", async () => {
    const { out } = await build(project({ "lake.ts": CODE + TAIL, ...NATIVE }), { native: false });
    expect(readFileSync(out, "utf8")).toMatch(NODE);
    expect((await run(out, "run", "native")).printed).toEqual([[2, expect.any(String)]]);
  });

  it("is Orca's own package if the pipeline's code has the word sql, reads, writes or keyed, also in a package", async () => {
    const orca = {
      ...ORCA,
      "index.js": `${ORCA["index.js"]}\nexport const query = () => import("native");`,
      "program.js": `import { query } from "orcajs"; globalThis.query = query;\n${ORCA["program.js"]}`,
    };
    const other = {
      ...NATIVE,
      "node_modules/shared/package.json": `{ "name": "shared", "version": "1.0.0", "main": "index.js" }`,
      "node_modules/shared/index.js": "exports.f = ({ sql }) => sql;",
    };
    const firstLine = async (code: string) => {
      const { out } = await build(project({ "lake.ts": HEAD + code + TAIL, ...other }, orca));
      expect(existsSync(out)).toBe(true);
      return readFileSync(out, "latin1").split("\n")[0];
    };
    expect(`${await firstLine("const a = async () => 1;")}\n`).toMatch(NODE);
    for (const code of ["ctx.sql`select 1`", "({ reads: [] })", "({ writes: [] })", "ctx.keyed(1)"])
      expect(await firstLine(`const a = async (ctx) => ${code};`)).toContain("-S node -e");
    expect(await firstLine(`import { f } from "shared"; const a = async (ctx) => f(ctx);`)).toContain("-S node -e");
  });

  it("is compressed once, for all builds", async () => {
    const cache = join(process.env["XDG_CACHE_HOME"]!, "orca/packed");
    const folder = project({ "lake.ts": CODE + TAIL, ...NATIVE, "node_modules/native/more.txt": "only here" });
    const before = new Set(readdirSync(cache));
    const first = readFileSync((await build(folder)).out);
    const made = readdirSync(cache).find((name) => !before.has(name));
    const { ino } = statSync(join(cache, made!));
    expect(readFileSync((await build(folder)).out).equals(first)).toBe(true);
    expect(statSync(join(cache, made!)).ino).toBe(ino);
  });

  it("is what the packages are now, though they are as large and as old as before", async () => {
    const folder = project({ "lake.ts": CODE + TAIL, ...NATIVE, "node_modules/native/data.txt": "one" });
    const data = join(folder, "node_modules/native/data.txt");
    const { atime, mtime } = statSync(data);
    const first = readFileSync((await build(folder)).out);
    writeFileSync(data, "two");
    utimesSync(data, atime, mtime);
    expect(readFileSync((await build(folder)).out).equals(first)).toBe(false);
    writeFileSync(data, "one");
    expect(readFileSync((await build(folder)).out).equals(first)).toBe(true);
  });
});
