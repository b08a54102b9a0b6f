/** Logs in a bucket, of recorded runs in processes of their own. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ACCESS_KEY, type S3Server, SECRET_KEY, startS3 } from "../../packages/objectstore/src/s3/s3-server.fixture.ts";
import { readLog } from "../../packages/orca/src/logs/read-log.ts";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { call, callOrca, orcaProgram, start, workFolder } from "./programs.ts";

const work = workFolder();
const program = path.join(work.path, "logs");
const root = path.resolve(import.meta.dirname, "../..");
const LOGS = "s3://lake/logs";
let test: TestDatabase;
let server: S3Server;
let stage: ReturnType<typeof mkdtempDisposableSync>;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", ACCESS_KEY);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET_KEY);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  test = await testDatabase();
  await callOrca(["build", path.join(import.meta.dirname, "fixtures/logs.ts"), "-o", program, "--no-check"]);
});
afterAll(async () => {
  work[Symbol.dispose]();
  await test[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
});
beforeEach(async () => {
  server = await startS3("lake");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", server.endpoint);
  stage = mkdtempDisposableSync(path.join(tmpdir(), "orca-stage-"));
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  stage.remove();
});

const envWith = (env: Readonly<Record<string, string>> = {}) => ({
  ORCA_DATABASE_URL: test.url,
  ORCA_LOGS: LOGS,
  ORCA_LOG_STAGE: stage.path,
  ...env,
});
const run = (key: string, env?: Readonly<Record<string, string>>) =>
  call(program, ["run", "--partitions", key], { env: envWith(env) });
const staged = () =>
  readdirSync(stage.path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name));

/** Where the newest run's attempts have their logs, and what is there. */
async function logsOfRun(): Promise<readonly { readonly log: string; readonly text: string | undefined }[]> {
  const rows = await test.sql<{ log: string }>(
    "select log from orca.attempts where run = (select max(id) from orca.runs) order by attempt",
  );
  return await Promise.all(
    rows.map(async ({ log }) => {
      const part = await readLog(log, { start: 0 });
      return { log, text: part && new TextDecoder().decode(part.bytes) };
    }),
  );
}

describe("a recorded run with its logs in a bucket", () => {
  it("has them there when it is over, where its record says, and nothing is left on the machine", async () => {
    expect(await run("little")).toMatchObject({ code: 0, stderr: "" });
    const [only] = await logsOfRun();
    expect(only!.log).toMatch(/^s3:\/\/lake\/logs\/logs\/\d+\/write\/little\/1\.log$/);
    expect(only!.text).toMatch(
      / start step 'write' of little, attempt 1\n.* log {3}a line\n.* end {3}succeeded in .*\n$/,
    );
    expect(readdirSync(path.join(stage.path, readdirSync(stage.path)[0]!, "logs"))).toEqual([]);
  });

  it("is shown with them by the UI", async () => {
    await run("little");
    const [newest] = await test.sql<{ id: number }>("select max(id)::int as id from orca.runs");
    const ui = start(process.execPath, [orcaProgram, "ui"], { env: envWith({ ORCA_UI_ADDR: "127.0.0.1:0" }) });
    await ui.printed("Ctrl-C");
    const site = /http:\/\/[\d.]+:\d+/.exec(ui.printedSoFar())![0];
    const page = async (place: string) => await (await fetch(`${site}/runs/${newest!.id}/${place}`)).text();
    expect(await page("logs/write/little")).toMatch(/ log {3}a line\n/);
    expect(await page("steps/write/little")).toContain("a line");
    ui.process.kill("SIGTERM");
    expect(await ui.ended).toMatchObject({ code: 0 });
  });

  it("has what a step has logged so far there while it goes on, though it blocks its process", async () => {
    const started = start(program, ["run", "--partitions", "blocks"], {
      env: envWith({ ORCA_LOG_FLUSH_SECONDS: "0.05" }),
    });
    await started.printed("waiting in ");
    await server.arrived(({ method }) => method === "PUT");
    await vi.waitUntil(async () => (await logsOfRun())[0]?.text?.includes("waiting in "), { timeout: 20_000 });
    process.kill(started.innerPid(), "SIGKILL");
    expect((await started.ended).code).toBe(1);
    expect((await logsOfRun())[0]!.text).toMatch(/ end {3}crashed: the process of the steps was ended by SIGKILL/);
  });

  it("has the end of an attempt whose process crashed", async () => {
    expect((await run("exits")).code).toBe(1);
    const [only] = await logsOfRun();
    expect(only!.text).toMatch(
      / log {3}about to exit\n.* end {3}crashed: the process of the steps was ended by SIGABRT/,
    );
    expect(staged()).toEqual([]);
  });

  it("15: has the lines up to the last flush there when its processes are killed and its machine is lost", async () => {
    const started = start(program, ["run", "--partitions", "ticks"], {
      env: envWith({ ORCA_LOG_FLUSH_SECONDS: "0.1" }),
    });
    const linesThere = async () =>
      [...((await logsOfRun())[0]?.text ?? "").matchAll(/ line (\d+)$/gm)].map((m) => Number(m[1]));
    await started.printed("line 20");
    await vi.waitUntil(async () => (await linesThere()).length >= 20, { timeout: 20_000 });
    const flushed = await linesThere();
    started.process.kill("SIGKILL");
    process.kill(started.innerPid(), "SIGKILL");
    await started.ended;
    rmSync(stage.path, { recursive: true });
    const left = await linesThere();
    expect(left.length).toBeGreaterThanOrEqual(flushed.length);
    expect(left).toEqual(Array.from(left, (_, i) => i + 1));
  });

  it("that is killed and resumed uploads what the dead process has staged", async () => {
    const started = start(program, ["run", "--partitions", "waits"], { env: envWith({ ORCA_STALE_SECONDS: "1" }) });
    await started.printed("waiting in ");
    const inner = started.innerPid();
    started.process.kill("SIGKILL");
    process.kill(inner, "SIGKILL");
    await once(started.process, "close").catch(() => {});
    expect(staged()).toHaveLength(1);
    const [{ id }] = (await test.sql<{ id: number }>("select max(id)::float8 as id from orca.runs")) as [
      { id: number },
    ];
    const resume = () => call(program, ["resume", String(id)], { env: envWith({ ORCA_STALE_SECONDS: "1" }) });
    let resumed = await resume();
    while (resumed.code === 4) resumed = await resume(); // its heartbeat isn't stale yet
    expect(resumed).toMatchObject({ code: 0, stderr: "" });
    const [first, second] = await logsOfRun();
    expect(first!.text).toContain("waiting in ");
    expect(second!.text).toMatch(/ end {3}succeeded/);
    expect(staged()).toEqual([]);
  });

  it("has of a step that logs 100 MB what a log takes, and its last line", async () => {
    expect(await run("much")).toMatchObject({ code: 0, stderr: "" });
    const [only] = await logsOfRun();
    const { bytes, size } = (await readLog(only!.log, { last: 200 }))!;
    expect(new TextDecoder().decode(bytes)).toMatch(
      / end {3}succeeded in .* \(\d+ lines left out: a log takes 10 MiB\)\n$/,
    );
    expect(size).toBeGreaterThan(10 * 1024 * 1024 - 70_000);
    expect(size).toBeLessThan(10 * 1024 * 1024 + 1_000);
  });
});

describe("a recorded run succeeds without its logs, which are on the machine, and says so, where", () => {
  const isLeft =
    /^warning: a log isn't in s3:\/\/lake\/logs: what is missing there is in .*, and the next process of the run on this machine uploads it$/m;

  it("the bucket can't be reached", async () => {
    const { code, stderr } = await run("little", { AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" });
    expect(code).toBe(0);
    expect(stderr).toMatch(isLeft);
    expect(staged()).toHaveLength(1);
    expect(readFileSync(staged()[0]!, "utf8")).toContain("a line\n");
  });

  it("the credentials are refused", async () => {
    const { code, stderr } = await run("little", { AWS_ACCESS_KEY_ID: "ANOTHER" });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: logs can't be uploaded to s3:\/\/lake\/logs, so that they stay in .* and are tried again every 10\.0 s: /,
    );
    expect(stderr.trim().split("\n")).toHaveLength(2);
    expect(stderr).toMatch(isLeft);
  });

  it("a build without tables is alone that doesn't carry what takes them there; one with --s3-logs does", async () => {
    const alone = mkdtempDisposableSync(path.join(tmpdir(), "orca-alone-logs-"));
    try {
      for (const [name, ...words] of [["without"], ["with", "--s3-logs"]] as const) {
        const built = path.join(work.path, name);
        await callOrca(["build", "examples/toy.ts", "-o", built, "--no-check", ...words], { cwd: root });
        copyFileSync(built, path.join(alone.path, name));
      }
      const calling = { env: envWith({ XDG_CACHE_HOME: path.join(alone.path, "cache") }), cwd: alone.path };
      const without = await call(path.join(alone.path, "without"), ["run", "--partitions", "2024-01"], calling);
      expect(without.code).toBe(0);
      expect(without.stderr).toContain(
        "needs the package @orcajs/objectstore 0.1.0, which orca build --s3-logs carries and isn't in the file",
      );
      expect(without.stderr).toMatch(/^warning: 3 logs aren't in s3/m);
      const withIt = await call(path.join(alone.path, "with"), ["run", "--partitions", "2024-01"], calling);
      expect(withIt).toMatchObject({ code: 0, stderr: "" });
      expect((await logsOfRun())[0]!.text).toMatch(/ end {3}succeeded/);
    } finally {
      alone.remove();
    }
  });
});

it("a stage that is full costs lines of logs and a warning, and no run", async (context) => {
  const disk = path.join(stage.path, "disk");
  mkdirSync(disk);
  try {
    execFileSync("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    context.skip();
  }
  try {
    writeFileSync(path.join(disk, "ballast"), Buffer.alloc(32 * 1024));
    const { code, stdout, stderr } = await run("much", { ORCA_LOG_STAGE: disk });
    expect(code).toBe(0);
    expect(
      (stdout + stderr).match(
        /warning: .* can't be written, so that the run goes on without some of its logs: ENOSPC/g,
      ),
    ).toHaveLength(1);
    expect((await logsOfRun())[0]!.text).toContain("start step 'write' of much, attempt 1\n");
    expect(existsSync(path.join(disk, "ballast"))).toBe(true);
  } finally {
    execFileSync("/usr/bin/umount", [disk]);
  }
});
