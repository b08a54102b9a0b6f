import { copyFileSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, orcaProgram, start, workFolder, type Calling } from "./programs.ts";

const fixture = path.join(import.meta.dirname, "fixtures/misbehave.ts");
const work = workFolder();
const program = path.join(work.path, "misbehave");

beforeAll(async () => {
  await callOrca(["build", fixture, "-o", program]);
});
afterAll(() => work[Symbol.dispose]());

const built = [program];
const unbuilt = [process.execPath, orcaProgram, "dev", fixture];

/** Calls a program's `run`. */
function runsOf([file, ...first]: readonly string[]) {
  // what is killed leaves its file, here where the test's are
  const begin = (keys: string, words: readonly string[] = [], env: Calling["env"] = {}) =>
    start(file!, [...first, "run", "--partitions", keys, ...words], { env: { TMPDIR: work.path, ...env } });
  const run = (keys: string, ...words: string[]) => begin(keys, words).ended;
  return { begin, run, shell: [file, ...first].join(" ") };
}

describe.each([
  ["a build", built],
  ["orca dev", unbuilt],
])("a run by %s", (_, program) => {
  const { begin, run, shell } = runsOf(program);

  it("writes a line for each step of each partition, what the last gather step returned, and the status", async () => {
    const { code, stdout, stderr } = await run("succeeds-1,prints-1", "--concurrency", "1");
    const lines = stdout.replace(/\d+(\.\d+)? m?s/g, "0 ms").split("\n");
    expect(lines).toEqual([
      "misbehave: 2 partitions (prints-1 to succeeds-1), in memory: nothing is recorded",
      "printed by the step",
      "act prints-1 | logged by the step",
      "act prints-1 | in two lines",
      "act prints-1: succeeded in 0 ms",
      "hangs prints-1: succeeded in 0 ms",
      "act succeeds-1: succeeded in 0 ms",
      "hangs succeeds-1: succeeded in 0 ms",
      "count: succeeded in 0 ms",
      "count = 2",
      "succeeded in 0 ms",
      "",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("says where in the file a step threw", async () => {
    const { stdout } = await run("throws-1");
    const line =
      readFileSync(fixture, "utf8")
        .split("\n")
        .findIndex((l) => l.includes('new Error("boom")')) + 1;
    expect(stdout).toContain(`act throws-1: failed: boom (tests/e2e/fixtures/misbehave.ts:${line}:`);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "on %s stops its steps in order, and exits with 3",
    async (signal) => {
      const started = begin("waits-1,waits-2", ["--concurrency", "1"]);
      await started.printed("waiting");
      started.process.kill(signal);
      const { code, stdout } = await started.ended;
      expect(code).toBe(3);
      expect(stdout).toContain("act waits-1: cancelled: the run was cancelled");
      expect(stdout).not.toContain("waits-2:");
      expect(stdout).toMatch(/cancelled in .*\n$/);
    },
  );

  it("on a second Ctrl-C stops at once, and exits with 3", async () => {
    const started = begin("ignores-1");
    await started.printed("waiting");
    started.process.kill("SIGINT");
    await started.printed("another signal stops at once");
    started.process.kill("SIGINT");
    const { code, stderr } = await started.ended;
    expect(code).toBe(3);
    expect(stderr).toBe("error: stopped at once: the running steps were cut off\n");
  });

  it("fails in one sentence when its process crashes", async () => {
    const { code, stderr } = await run("aborts-1");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the process of the steps was ended by SIGABRT: in tests\/e2e\/fixtures\/misbehave\.ts:\d+:\d+$/m,
    );
  });

  it("stops in order when the process that started it is killed", async () => {
    const started = begin("waits-1");
    await started.printed("waiting");
    started.process.kill("SIGKILL");
    const { stdout } = await started.ended; // when nobody has its output open any more
    expect(stdout).toContain("act waits-1: cancelled: the run was cancelled");
  });

  it.skipIf(process.platform !== "linux")(
    "says that what it wrote is lost where it can't be written, and fails",
    async () => {
      const ended = await call("bash", ["-c", `${shell} run --partitions prints-1,prints-2 > /dev/full`]);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^error: what was written is lost: .*ENOSPC.*\n$/);
      expect((await call("bash", ["-c", `${shell} describe > /dev/full`])).code).toBe(1);
    },
  );
});

describe("a run", () => {
  const { begin, run } = runsOf(built);

  it.each([
    ["throws", "boom"],
    ["throws-text", "it threw the text 'boom', which isn't an error: throw new Error(…)"],
    ["throws-undefined", "it threw undefined, which isn't an error: throw new Error(…)"],
    ["returns-function", "outputs must be storable: output.rows[0].get is a function"],
    ["exits", "step 'act' of exits-1 called process.exit(0): throw an error to fail, return to succeed"],
    ["exits-later", "step 'act' of exits-later-1 called process.exit(0): throw an error to fail, return to succeed"],
    ["rejects", "step 'act' of rejects-1 left a rejection unhandled: left alone"],
    [
      "throws-in-callback",
      "step 'act' of throws-in-callback-1 threw outside of its function, in a callback: from a timer",
    ],
    [
      "never-settles",
      "step 'act' of never-settles-1 can never end: it waits for a promise that nothing is left to settle",
    ],
  ])("of a step that %s fails in one sentence, and other partitions go on", async (behaviour, sentence) => {
    const { code, stdout, stderr } = await run(`${behaviour}-1,succeeds-1`);
    expect(code).toBe(1);
    expect(stderr).toBe("");
    const line = stdout.split("\n").find((l) => /: (failed|crashed)/.test(l))!;
    expect(line.replace(/ \([^()]*misbehave\.ts:\d+:\d+\)$/, "")).toMatch(
      new RegExp(`^act ${behaviour}-1: (failed|crashed): `),
    );
    expect(line).toContain(sentence);
    expect(stdout).toContain("hangs succeeds-1: succeeded");
    expect(stdout).toContain("count: skipped, since");
    expect(stdout).not.toMatch(/^\s+at /m);
    expect(stdout).toMatch(/failed in .*, 1 failure\n$/);
  });

  it("fails by a rejection that a step left behind when it had ended", async () => {
    const { code, stdout } = await run("rejects-late-1");
    expect(code).toBe(1);
    expect(stdout).toContain("step 'act' of rejects-late-1 left a rejection unhandled after it had ended: left alone");
    expect(stdout).toMatch(/failed in .*, 1 failure\n$/);
  });

  it("fails by a step that ends the process when it has ended itself, and goes on", async () => {
    const { code, stdout } = await run("exits-late-1,succeeds-1", "--concurrency", "1");
    expect(code).toBe(1);
    expect(stdout).toContain("step 'act' of exits-late-1 called process.exit(0) after it had ended");
    expect(stdout).toContain("hangs succeeds-1: succeeded");
  });

  it("ends also while a query of a step that was cancelled is going on", async () => {
    const started = begin("queries-1");
    await started.printed("waiting");
    started.process.kill("SIGINT");
    const { code, stdout } = await started.ended;
    expect(code).toBe(3);
    expect(stdout).toContain("act queries-1: cancelled: the run was cancelled");
  });

  it("says so too where Node maps its stack traces itself", async () => {
    const { stdout } = await begin("throws-1", [], { NODE_OPTIONS: "--enable-source-maps" }).ended;
    expect(stdout).toMatch(/act throws-1: failed: boom \(tests\/e2e\/fixtures\/misbehave\.ts:\d+:\d+\)/);
  });

  it("fails a step that goes on after its timeout, once the grace time is over", async () => {
    const ended = await begin("succeeds-2", [], { ORCA_GRACE_SECONDS: "0.02" }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(
      "hangs succeeds-2: timed-out: step 'hangs' of succeeds-2 took longer than its timeout, 1.0 s",
    );
  });

  it("with --json writes one object to standard output, and the rest to standard error", async () => {
    const { code, stdout, stderr } = await run("succeeds-1,throws-1,prints-1", "--json");
    expect(code).toBe(1);
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(result).toMatchObject({
      pipeline: "misbehave",
      status: "failed",
      partitions: 3,
      failures: [{ step: "act", partition: "throws-1", attempts: 1 }],
      outputs: [],
    });
    expect((result["steps"] as object[])[0]).toMatchObject({ name: "act", succeeded: 2, failed: 1, skipped: 0 });
    expect(stderr).toContain("printed by the step");
    expect(stderr).toContain("act prints-1 | logged by the step");
  });

  describe("of a step that blocks its process", () => {
    it("stops at once on a second Ctrl-C", async () => {
      const started = begin("blocks-1");
      await started.printed("waiting");
      started.process.kill("SIGINT");
      await started.printed("another signal stops at once");
      started.process.kill("SIGINT");
      expect((await started.ended).code).toBe(3);
      expect(() => process.kill(started.innerPid(), 0)).toThrow("ESRCH");
    });

    it("stops on Ctrl-C once the grace time is over", async () => {
      const started = begin("blocks-1", [], { ORCA_GRACE_SECONDS: "0.02" });
      await started.printed("waiting");
      started.process.kill("SIGINT");
      const { code, stderr } = await started.ended;
      expect(code).toBe(3);
      expect(stderr).toBe("error: the run was stopped, and a step that blocked its process was cut off\n");
    });

    it("fails once its timeout and the grace time are over", async () => {
      const { code, stderr } = await begin("blocks-late-1", [], { ORCA_GRACE_SECONDS: "0.02" }).ended;
      expect(code).toBe(1);
      expect(stderr).toBe(
        "error: step 'hangs' of blocks-late-1 took longer than its timeout and blocked its process, which was ended\n",
      );
    });
  });

  it("leaves the steps what they start themselves: a program of Orca's that a step calls is supervised too", async () => {
    const { stdout } = await run("calls-itself-1");
    expect(stdout).toContain("act succeeds-1: succeeded");
    expect(stdout).toContain("act calls-itself-1: succeeded");
  });

  it("gives up a step that ignores its cancellation once the grace time is over", async () => {
    const started = begin("ignores-1", [], { ORCA_GRACE_SECONDS: "0.02" });
    await started.printed("waiting");
    started.process.kill("SIGINT");
    expect((await started.ended).code).toBe(3);
  });

  it("goes on when nobody reads what it writes", async () => {
    const started = begin("prints-1");
    started.process.stdout!.destroy();
    expect(await started.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("takes its keys from a file", async () => {
    const file = work.write("keys.txt", "succeeds-1\r\n\n  succeeds-3..5  \n");
    const { code, stdout } = await run(`@file:${file}`);
    expect(code).toBe(0);
    expect(stdout).toContain("2 partitions (succeeds-1 to succeeds-3..5)");
    const mistaken = work.write("mistaken.txt", "succeeds-1\n..\n");
    expect((await run(`@file:${mistaken}`)).stderr).toBe(
      `error: line 2 of ${mistaken}: '..' isn't a name: in a path it means a folder\n`,
    );
  });
});

it("a run says nothing of where a step threw when another build has taken its file's place", async () => {
  const copy = path.join(work.path, "copy");
  copyFileSync(program, copy);
  const started = start(copy, ["run", "--partitions", "throws-when-told-1"]);
  await started.printed("waiting");
  rmSync(copy);
  copyFileSync(program, copy);
  process.kill(started.innerPid(), "SIGUSR2");
  const { code, stdout } = await started.ended;
  expect(code).toBe(1);
  expect(stdout).toContain("act throws-when-told-1: failed: boom\n");
});
