import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../postgres.ts";
import { call, callOrca, start, workFolder, type Calling } from "./programs.ts";

const fixture = path.join(import.meta.dirname, "fixtures/misbehave.ts");
const work = workFolder();
const program = path.join(work.path, "misbehave");
let test: TestDatabase;
let recording: Calling;

beforeAll(async () => {
  test = await testDatabase();
  recording = { env: { ORCA_DATABASE_URL: test.url, ORCA_LOGS: path.join(work.path, "logs") } };
  await callOrca(["build", fixture, "-o", program]);
});
afterAll(async () => {
  work[Symbol.dispose]();
  await test[Symbol.asyncDispose]();
});

const withEnv = (env: Readonly<Record<string, string>>): Calling => ({ env: { ...recording.env, ...env } });
const run = (keys: string, calling = recording) => call(program, ["run", "--partitions", keys], calling);
const resume = (id: number, ...words: string[]) => call(program, ["resume", String(id), ...words], recording);
/** The number of the newest run. */
const lastRun = async () => (await test.sql<{ id: number }>("select max(id)::float8 as id from orca.runs"))[0]!.id;
const rowOf = async (id: number) =>
  (await test.sql("select status, owner, starts, error from orca.runs where id = $1", [id]))[0];
const attemptsOf = (id: number, step: string) =>
  test.sql<{ status: string; error: string | null; partition: string }>(
    "select partition, status, error from orca.attempts where run = $1 and step = $2 order by partition, attempt",
    [id, step],
  );

describe("a recorded run", () => {
  it("says its number, and records what happened", async () => {
    const { code, stdout } = await run("succeeds-1,throws-1");
    const id = await lastRun();
    expect(code).toBe(1);
    expect(stdout).toContain(`misbehave: 2 partitions (succeeds-1 to throws-1), run ${id}\n`);
    expect(stdout).toContain(`; resume ${id} goes on with it\n`);
    expect(await rowOf(id)).toEqual({ status: "failed", owner: null, starts: 1, error: null });
    expect(await attemptsOf(id, "act")).toEqual([
      { partition: "succeeds-1", status: "succeeded", error: null },
      {
        partition: "throws-1",
        status: "failed",
        error: expect.stringMatching(/^boom \(tests\/e2e\/fixtures\/misbehave\.ts:\d+:\d+\)$/),
      },
    ]);
    expect(
      await test.sql(
        "select step, partition, status from orca.steps where run = $1 and status = 'skipped' order by 1",
        [id],
      ),
    ).toEqual([
      { step: "count", partition: "", status: "skipped" },
      { step: "hangs", partition: "throws-1", status: "skipped" },
    ]);
  });

  it("is resumed: what succeeded is read back, and what failed is run again", async () => {
    await run("succeeds-once-1,succeeds-1", withEnv({ MISBEHAVE: "1" }));
    const id = await lastRun();
    const { code, stdout } = await resume(id);
    expect(stdout).not.toContain("act succeeds-1");
    expect(stdout).toContain("act succeeds-once-1: succeeded in ");
    expect(stdout).toContain("count = 2");
    expect(code).toBe(0);
    expect(await rowOf(id)).toEqual({ status: "succeeded", owner: null, starts: 2, error: null });
    const again = await resume(id);
    expect(again).toMatchObject({ code: 2, stderr: `error: run ${id} has succeeded: there is nothing to resume\n` });
  });

  it("is left by SIGTERM, to be resumed at once", async () => {
    const started = start(program, ["run", "--partitions", "waits-1"], recording);
    await started.printed("waiting");
    const id = await lastRun();
    const second = await resume(id);
    expect(second.code).toBe(4);
    expect(second.stderr).toMatch(new RegExp(`^error: run ${id} is going on in another process, which was alive`));
    started.process.kill("SIGTERM");
    const { code, stdout } = await started.ended;
    expect(code).toBe(3);
    expect(stdout).toMatch(new RegExp(`\nstopped in .*; resume ${id} goes on with it\n$`));
    expect(await rowOf(id)).toEqual({ status: "running", owner: null, starts: 1, error: null });
    expect((await call(program, ["status", String(id)], recording)).stdout).toMatch(
      new RegExp(`^run ${id} of misbehave: stopped, silent for .*\n(.*\n)*resume ${id} goes on with it\n$`),
    );
    expect(await attemptsOf(id, "act")).toMatchObject([{ status: "cancelled" }]);
    const resumed = start(program, ["resume", String(id)], recording);
    await resumed.printed("waiting");
    resumed.process.kill("SIGINT");
    expect((await resumed.ended).code).toBe(3);
    expect(await rowOf(id)).toEqual({ status: "cancelled", owner: null, starts: 2, error: null });
  });

  it("ends when it has ended, whatever a step has left running", async () => {
    const started = start(program, ["run", "--partitions", "leaves-a-child-1"], recording);
    const [code] = (await once(started.process, "exit")) as [number];
    process.kill(started.innerPid(), "SIGKILL"); // the child, which is still there
    expect(code).toBe(0);
    expect((await started.ended).stdout).toContain("count = 1");
  });

  it("records what went wrong when its steps had ended", async () => {
    await run("rejects-late-1");
    expect(await rowOf(await lastRun())).toMatchObject({
      status: "failed",
      error: expect.stringContaining("left a rejection unhandled after it had ended: left alone"),
    });
  });

  it("is cancelled from elsewhere", async () => {
    const started = start(program, ["run", "--partitions", "waits-1"], recording);
    await started.printed("waiting");
    const id = await lastRun();
    expect(await callOrca(["cancel", String(id)], recording)).toMatchObject({
      code: 0,
      stdout: `run ${id} is going to stop: its process is told, if it is alive\n`,
    });
    expect((await started.ended).code).toBe(3);
    expect(await rowOf(id)).toMatchObject({ status: "cancelled", owner: null });
  });

  it("records a crash of its steps' process as what ended the attempt, and goes on with the others", async () => {
    const { code, stdout, stderr } = await run("aborts-1,succeeds-1", withEnv({}));
    const id = await lastRun();
    expect(code).toBe(1);
    expect(stderr).toContain("was ended by SIGABRT");
    expect(stdout).toContain("act succeeds-1: succeeded");
    expect(stdout).toMatch(/^act aborts-1: crashed in attempt 2: the process of the steps was ended by SIGABRT: in /m);
    expect(stdout).toMatch(/failed in .*, 1 failure; resume/);
    expect(stdout.match(/2 partitions/g)).toHaveLength(1);
    const attempts = await attemptsOf(id, "act");
    expect(attempts.filter((a) => a.partition === "aborts-1")).toMatchObject([
      { status: "crashed", error: expect.stringContaining("was ended by SIGABRT") },
      { status: "crashed", error: expect.stringContaining("was ended by SIGABRT") }, // once among others, once alone
    ]);
    expect(attempts.at(-1)).toEqual({ partition: "succeeds-1", status: "succeeded", error: null });
    expect(await rowOf(id)).toEqual({ status: "failed", owner: null, starts: 1, error: null });
  });

  it("records that the memory was full as what ended the attempt", async () => {
    const { code } = await run("fills-memory-1", withEnv({ NODE_OPTIONS: "--max-old-space-size=64" }));
    expect(code).toBe(1);
    expect(await attemptsOf(await lastRun(), "act")).toEqual([
      {
        partition: "fills-memory-1",
        status: "crashed",
        error: expect.stringMatching(
          /^the process of the steps was ended by SIGABRT: .*JavaScript heap out of memory in .*OOM/,
        ),
      },
    ]);
  });

  it("records a step that blocks its process beyond its timeout as timed out", async () => {
    const { code } = await run("blocks-late-1", withEnv({ ORCA_GRACE_SECONDS: "0.02" }));
    expect(code).toBe(1);
    expect(await attemptsOf(await lastRun(), "hangs")).toEqual([
      {
        partition: "blocks-late-1",
        status: "timed-out",
        error: "step 'hangs' of blocks-late-1 took longer than its timeout and blocked its process, which was ended",
      },
    ]);
  });

  it("lays a crash to the step that did it, also when another one was cut off at its timeout before", async () => {
    const calling = withEnv({ ORCA_GRACE_SECONDS: "0.02" });
    await call(program, ["run", "--partitions", "blocks-late-1,aborts-1", "--concurrency", "1"], calling);
    const id = await lastRun();
    expect(await attemptsOf(id, "hangs")).toMatchObject([{ status: "timed-out" }]);
    expect(await attemptsOf(id, "act")).toMatchObject([
      { partition: "aborts-1", status: "crashed", error: expect.stringContaining("was ended by SIGABRT") },
      { partition: "blocks-late-1", status: "succeeded" },
    ]);
  });

  it("writes the cause of a crash into the attempt's log", async () => {
    await run("aborts-1");
    const [attempt] = await test.sql<{ log: string }>("select log from orca.attempts where run = $1", [
      await lastRun(),
    ]);
    expect((await call("tail", ["-n", "1", attempt!.log])).stdout).toMatch(
      /^\S+ end {3}crashed: the process of the steps was ended by SIGABRT: in tests\/e2e\/fixtures\/misbehave\.ts:\d+:\d+\n$/,
    );
  });

  it("writes where a step failed into its log, in the source and without what else is in the build", async () => {
    await run("throws-1");
    const [attempt] = await test.sql<{ log: string }>("select log from orca.attempts where run = $1", [
      await lastRun(),
    ]);
    const text = readFileSync(attempt!.log, "utf8");
    expect(text).toMatch(/ stack Error: boom\n\S+ stack {5}at .*tests\/e2e\/fixtures\/misbehave\.ts:\d+:\d+/);
    expect(text.match(/ stack {5}at /g)).toHaveLength(1);
  });

  it("goes on when the process of its steps is killed, as after a crash", async () => {
    const started = start(program, ["run", "--partitions", "waits-1"], recording);
    await started.printed("waiting");
    process.kill(started.innerPid(), "SIGKILL");
    expect((await started.ended).code).toBe(1);
    expect(await attemptsOf(await lastRun(), "act")).toMatchObject([
      { status: "crashed", error: expect.stringContaining("was ended by SIGKILL") },
    ]);
  });

  it("is left to be resumed when the process that was started is killed", async () => {
    const started = start(program, ["run", "--partitions", "waits-1"], recording);
    await started.printed("waiting");
    started.process.kill("SIGKILL");
    await started.ended;
    expect(await rowOf(await lastRun())).toEqual({ status: "running", owner: null, starts: 1, error: null });
  });

  it("keeps its heartbeat while a step blocks its process", async () => {
    const short = withEnv({ ORCA_STALE_SECONDS: "0.6" });
    const started = start(program, ["run", "--partitions", "blocks-1"], short);
    await started.printed("waiting");
    const id = await lastRun();
    const beat = async () =>
      (await test.sql<{ at: Date }>("select at from orca.heartbeats where run = $1", [id]))[0]!.at.getTime();
    const first = await beat();
    while ((await beat()) - first < 1_200); // twice the time after which it would be stale
    expect((await call(program, ["resume", String(id)], short)).code).toBe(4);
    await callOrca(["cancel", String(id)], recording);
    started.process.kill("SIGINT");
    await started.printed("another signal stops at once");
    started.process.kill("SIGINT");
    expect((await started.ended).code).toBe(3);
    expect(await rowOf(id)).toMatchObject({ status: "cancelled" });
  });

  it("stops when another process took it over", async () => {
    const started = start(program, ["run", "--partitions", "waits-1"], recording);
    await started.printed("waiting");
    const id = await lastRun();
    await test.sql("update orca.runs set owner = gen_random_uuid() where id = $1", [id]);
    await test.sql("select pg_notify('orca', $1)", [`run:${id}`]);
    const { code, stderr } = await started.ended;
    expect(stderr).toContain(`error: another process took run ${id} over: what this one did since isn't recorded\n`);
    expect(code).toBe(5);
  });

  it("fails a step that returns more than an output may be", async () => {
    const { stdout } = await run("returns-much-1");
    expect(stdout).toContain(
      "act returns-much-1: failed: its output has 2.0 MiB, and may have 1 MiB: write the data to a table, and return what later steps need to find it",
    );
  });

  it("keeps a log for each attempt, and records where", async () => {
    await run("prints-1");
    const { stdout } = await call(program, ["status", String(await lastRun()), "--json"], recording);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "succeeded",
      steps: [{ name: "act", counts: { succeeded: 1 } }, {}, {}],
    });
    const [attempt] = await test.sql<{ log: string }>("select log from orca.attempts where run = $1 and step = 'act'", [
      await lastRun(),
    ]);
    expect((await call("cut", ["-d", " ", "-f", "2-", attempt!.log])).stdout).toMatch(
      /^start step 'act' of prints-1, attempt 1\nout {3}printed by the step\nlog {3}logged by the step\nlog {3}in two lines\nend {3}succeeded in .*\n$/,
    );
  });
});

describe("what can't be recorded", () => {
  it.each([
    ["no database", { ORCA_DATABASE_URL: "postgresql://localhost:1/x" }, 6, "error: the database can't be reached: "],
    [
      "a URL that isn't one",
      { ORCA_DATABASE_URL: "mysql://x" },
      2,
      "error: ORCA_DATABASE_URL is 'mysql://x': it takes ",
    ],
    ["a time that isn't one", { ORCA_STALE_SECONDS: "soon" }, 2, "error: ORCA_STALE_SECONDS is 'soon'"],
  ])("is said in a sentence: %s", async (_what, env, code, sentence) => {
    const ended = await run("succeeds-1", withEnv(env));
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    [["resume", "999999"], recordingOr, 2, "error: there is no run 999999\n"],
    [["resume", "7e1"], recordingOr, 2, "error: '7e1' isn't a run's number, such as 7\n"],
    [["status", "999999"], recordingOr, 2, "error: there is no run 999999\n"],
    [["resume", "1"], () => ({}), 2, "error: set ORCA_DATABASE_URL, so that there is a database with runs: "],
  ])("%j is refused in a sentence", async (words, calling, code, sentence) => {
    const ended = await call(program, words, calling());
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(sentence);
  });

  it.each([["runs"], ["cancel", "1"]])("is nowhere, and isn't made by orca %s", async (...words) => {
    const ended = await callOrca(words, { env: { ORCA_DATABASE_URL: "embedded:none" }, cwd: work.path });
    expect(ended).toEqual({
      code: 6,
      signal: null,
      stdout: "",
      stderr: `error: there is no database in none, as seen from ${work.path}: a run makes one\n`,
    });
    expect(existsSync(path.join(work.path, "none"))).toBe(false);
  });

  it("is a run of other code, unless that is allowed", async () => {
    await run("throws-1");
    const id = await lastRun();
    await test.sql(
      "update orca.versions set registry_hash = '0xother' where id = (select version from orca.runs where id = $1)",
      [id],
    );
    const refused = await resume(id);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(
      new RegExp(`^error: run ${id} was begun by other code \\(0xother; this is 0x[0-9a-f]{16}\\): `),
    );
    expect((await resume(id, "--allow-new-code")).code).toBe(1);
  });
});

function recordingOr(): Calling {
  return recording;
}
