import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { keepServer, serverState, stopServer } from "./control.ts";
import { openEmbedded } from "./embedded.ts";

const isRoot = process.getuid!() === 0;
const work = mkdtempSync(path.join(tmpdir(), "orca-embedded-"));
const template = path.join(work, "template");
const children: ChildProcess[] = [];
const homes: string[] = [];

beforeAll(async () => {
  chmodSync(work, 0o777);
  // JavaScript, as 20 processes that compile what they load take their time
  const entryPoints = ["embedded.ts", "guardian.ts"].map((name) => path.join(import.meta.dirname, name));
  await build({ entryPoints, bundle: true, platform: "node", format: "esm", outdir: work });
  writeFileSync(path.join(work, "package.json"), JSON.stringify({ type: "module" }));
  symlinkSync(path.resolve(import.meta.dirname, "../../../../node_modules"), path.join(work, "node_modules"));
  await (await openEmbedded(template, { lingerMs: 0 }))[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(serversIn(template)).toEqual([]), WAIT);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const home of homes.splice(0))
    if (statSync(home, { throwIfNoEntry: false })?.isDirectory()) await stopServer(home);
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const WAIT = { timeout: 10_000, interval: 20 };

/** A folder for a server, that isn't there. */
function newHome(name = `home-${homes.length}`): string {
  homes.push(path.join(mkdtempSync(path.join(work, "t-")), name));
  chmodSync(path.dirname(homes.at(-1)!), 0o777);
  return homes.at(-1)!;
}

/** A folder with a cluster in it. */
function homeWithCluster(name?: string): string {
  const home = newHome(name);
  mkdirSync(home, { mode: 0o711 });
  execFileSync("cp", ["-a", path.join(template, "data"), home]);
  return home;
}

interface User {
  readonly process: ChildProcess;
  /** Settles once it has opened the server. */
  readonly url: Promise<string>;
}

/** A process that uses the server in a folder until it is killed, or until its standard input ends. */
function user(home: string, options: { readonly uid?: number; readonly gid?: number } = {}): User {
  const code = `import { openEmbedded } from ${JSON.stringify(path.join(work, "embedded.js"))};
    const use = await openEmbedded(process.argv[1], { lingerMs: 0 }).catch((e) => (console.log(e.message), process.exit(1)));
    console.log(use.url);
    for await (const _ of process.stdin);
    await use[Symbol.asyncDispose]();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, home], {
    ...options,
    cwd: work,
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const printed = new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (text: Buffer) => resolve(String(text).trim()));
    child.once("close", () => reject(new Error("it ended before it had opened the server")));
  });
  return { process: child, url: printed };
}

/** The processes of a folder's server: its guardian, Postgres and initdb. */
function serversIn(home: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandOf(pid).includes(home) && /guardian\.|\/bin\/(postgres|initdb)/.test(commandOf(pid)))
    .map(Number);
}

function commandOf(pid: string | number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended
  }
}

const guardianOf = (home: string) => serversIn(home).find((pid) => commandOf(pid).includes("guardian."))!;
const postmasterOf = (home: string) =>
  Number.parseInt(readFileSync(path.join(home, "data/postmaster.pid"), "utf8"), 10);

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const gone = (home: string) => vi.waitFor(() => expect(serversIn(home)).toEqual([]), WAIT);

describe("an embedded server", () => {
  it("keeps what is committed, and has no network, UTC, UTF8 and room for 200 connections", async () => {
    await using use = await openEmbedded(homeWithCluster());
    const names = [
      "fsync",
      "synchronous_commit",
      "data_checksums",
      "listen_addresses",
      "TimeZone",
      "server_encoding",
      "max_connections",
    ];
    const rows = await query(use.url, `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("', '")}')`);
    expect(Object.fromEntries(rows.map((row) => [row["name"], row["setting"]]))).toEqual({
      fsync: "on",
      synchronous_commit: "on",
      data_checksums: "on",
      listen_addresses: "",
      TimeZone: "UTC",
      server_encoding: "UTF8",
      max_connections: "200",
    });
  });

  it("is one, made once, when 20 processes start it at once", async () => {
    const home = newHome();
    const urls = await Promise.all(Array.from({ length: 20 }, () => user(home).url));
    expect(new Set(urls)).toEqual(
      new Set([`postgres://orca@localhost/postgres?host=${encodeURIComponent(path.join(home, "data"))}`]),
    );
    const log = readFileSync(path.join(home, "server.log"), "utf8");
    expect([log.match(/cluster will be initialized/g)?.length, log.match(/starting PostgreSQL/g)?.length]).toEqual([
      1, 1,
    ]);
    expect((await serverState(home))?.users).toBe(20);
  });

  it.runIf(isRoot && existsSync("/usr/bin/setpriv"))(
    "is root's also in a folder that only root may enter",
    async () => {
      const closed = path.dirname(newHome());
      chmodSync(closed, 0o700);
      await using use = await openEmbedded(path.join(closed, "pg"));
      expect(await query(use.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    },
  );

  it("ends with its last user, of whom one is killed", async () => {
    const home = homeWithCluster();
    const [first, second] = [user(home), user(home)];
    const [url] = await Promise.all([first.url, second.url]);
    first.process.kill("SIGKILL");
    await once(first.process, "close");
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    second.process.stdin!.end();
    await gone(home);
  });

  it("is joined by who comes while it ends", async () => {
    const home = homeWithCluster();
    for (let i = 0; i < 10; i++) {
      await using use = await openEmbedded(home, { lingerMs: 0 });
      expect(await query(use.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    }
  });

  it("is closed to other users of the machine", async () => {
    const home = homeWithCluster();
    await using _ = await openEmbedded(home);
    const modes = ["data", ...readdirSync(home).filter((name) => name.endsWith(".sock"))];
    expect(modes.map((name) => statSync(path.join(home, name)).mode & 0o077)).toEqual([0, 0]);
  });

  it.each(["with space and ü", "a,b", "long".repeat(40)])("is reached in a folder named %s", async (name) => {
    vi.stubEnv("TMPDIR", work); // where a link is left
    const home = homeWithCluster(name);
    await using use = await openEmbedded(home, { lingerMs: 0 });
    expect(await query(use.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it.runIf(isRoot)("is an ordinary user's as well", async () => {
    const home = newHome();
    const url = await user(home, { uid: 65534, gid: 65534 }).url;
    expect(url).toMatch(/^postgres:/);
    expect(statSync(path.join(home, "data")).uid).toBe(65534);
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("goes on without users when it is kept, until it is stopped", async () => {
    const home = homeWithCluster();
    const { url } = await keepServer(home);
    await using use = await openEmbedded(home, { lingerMs: 0 });
    expect(await serverState(home)).toEqual({ url, users: 1, isKept: true });
    await use[Symbol.asyncDispose]();
    await vi.waitFor(async () => expect(await serverState(home)).toEqual({ url, users: 0, isKept: true }), WAIT);
    expect(await stopServer(home)).toBe(0);
    await gone(home);
    expect([await serverState(home), await stopServer(home)]).toEqual([undefined, undefined]);
  });

  it("that is stopped isn't started again by its users", async () => {
    const home = homeWithCluster();
    await using use = await openEmbedded(home);
    expect(await stopServer(home)).toBe(1);
    await expect(query(use.url, "SELECT 1")).rejects.toMatchObject({ code: "ENOENT" });
    await gone(home);
  });
});

describe("after a kill", () => {
  it.each([
    ["the guardian", guardianOf, "SIGKILL"],
    ["Postgres", postmasterOf, "SIGKILL"],
    ["the guardian by SIGTERM", guardianOf, "SIGTERM"],
  ] as const)(
    "of %s, the server is there again for its users, with all that was committed",
    async (_what, pidOf, signal) => {
      const home = homeWithCluster();
      await using use = await openEmbedded(home, { lingerMs: 0 });
      await query(use.url, "CREATE TABLE kept AS SELECT 7 AS n");
      const before = postmasterOf(home);
      process.kill(pidOf(home), signal);
      await vi.waitFor(() => expect(commandOf(before)).toBe(""), WAIT); // until then, it may be the old one that answers
      await vi.waitFor(async () => expect(await query(use.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]), WAIT);
      await vi.waitFor(() => expect(serversIn(home)).toHaveLength(2), WAIT); // a connection's process looks like a server at first
    },
  );

  it("of Postgres, a server that is kept is there again", async () => {
    const home = homeWithCluster();
    const { url } = await keepServer(home);
    process.kill(postmasterOf(home), "SIGKILL");
    await vi.waitFor(async () => expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]), WAIT);
    expect(await serverState(home)).toEqual({ url, users: 0, isKept: true });
  });

  it("of guardian and users at once, Postgres ends, and the next one starts it", async () => {
    const home = homeWithCluster();
    const only = user(home);
    await only.url;
    only.process.kill("SIGKILL");
    process.kill(guardianOf(home), "SIGKILL");
    await gone(home);
    await using use = await openEmbedded(home, { lingerMs: 0 });
    expect(await query(use.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("of a guardian that is making a cluster, a whole one is made", async () => {
    const home = newHome();
    const { url } = user(home);
    await vi.waitFor(() => expect(readdirSync(home).some((name) => name.startsWith("unfinished-"))).toBe(true), WAIT);
    process.kill(guardianOf(home), "SIGKILL");
    expect(await query(await url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(readdirSync(home).filter((name) => name.startsWith("unfinished-"))).toEqual([]);
  });

  it("of the machine, a process that has the number of the old server isn't taken for it", async () => {
    const home = homeWithCluster();
    const { uid, gid } = statSync(path.join(home, "data"));
    const other = spawn("sleep", ["60"], { uid, gid });
    children.push(other);
    writeFileSync(
      path.join(home, "data/postmaster.pid"),
      `${other.pid}\n${path.join(home, "data")}\n1\n5432\n.\n\n  1 1\nready\n`,
    );
    await using use = await openEmbedded(home, { lingerMs: 0 });
    expect(await query(use.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(other.exitCode ?? other.signalCode).toBeNull();
  });
});

describe("a folder that can't be used is refused with a sentence:", () => {
  const refusal = async (home: string) => {
    const error = await openEmbedded(home, { lingerMs: 0 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: "OrcaError", code: "embedded-postgres" });
    return (error as Error).message.replaceAll(home, "HOME");
  };

  it("one with other things in it, which stays as it is", async () => {
    const home = newHome();
    mkdirSync(home);
    writeFileSync(path.join(home, "lake.ts"), "");
    expect(await refusal(home)).toBe(
      "HOME has other things in it, such as lake.ts: give an empty folder, or one that isn't there",
    );
    expect(readdirSync(home)).toEqual(["lake.ts"]);
  });

  it("another Postgres's", async () => {
    expect(await refusal(path.join(template, "data"))).toBe(
      "HOME is the data folder of another Postgres: give a folder of its own for Orca's",
    );
  });

  it("one of another version", async () => {
    const home = homeWithCluster();
    writeFileSync(path.join(home, "data/PG_VERSION"), "17\n");
    expect(await refusal(home)).toBe(
      "Postgres can't start in HOME: database files are incompatible with server: The data directory was initialized by PostgreSQL version 17, which is not compatible with this version 18.4: use another folder, or the version of Orca that made this one",
    );
  });

  it("a file", async () => {
    const home = newHome();
    writeFileSync(home, "");
    expect(await refusal(home)).toBe("Postgres can't use the folder HOME: EEXIST: file already exists, mkdir 'HOME'");
  });

  it("one whose settings Postgres doesn't take", async () => {
    const home = homeWithCluster();
    writeFileSync(path.join(home, "data/postgresql.conf"), "max_connections = many\n");
    expect(await refusal(home)).toBe(
      `Postgres can't start in HOME: configuration file "HOME/data/postgresql.conf" contains errors: see HOME/server.log`,
    );
  });

  it.runIf(isRoot)("one that an ordinary user may not write to", async () => {
    const home = newHome();
    mkdirSync(home, { mode: 0o755 });
    expect(await user(home, { uid: 65534, gid: 65534 }).url).toBe(
      `Postgres can't use the folder ${home}: EACCES: permission denied, access '${home}'`,
    );
    expect(existsSync(path.join(home, "data"))).toBe(false);
  });
});
