import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ATTEMPT_BYTES_MAX } from "./attempt-log.ts";
import { RunLogs } from "./run-logs.ts";

const AT = "2026-11-30T01:02:03.456Z";
const id = { step: "clean", partition: "2024-01", attempt: 2 };
const succeeded = { status: "succeeded", output: "1" } as const;

let work: ReturnType<typeof mkdtempDisposableSync>;
beforeEach(() => {
  work = mkdtempDisposableSync(path.join(tmpdir(), "orca-logs-"));
});
afterEach(() => work.remove());

function logsIn(folder: string, run: string | number = 7) {
  const warnings: string[] = [];
  const clock = { now: Date.parse(AT) };
  const logs = new RunLogs(
    { folder, bucket: undefined },
    {
      pipeline: "lake",
      run,
      warn: (sentence) => warnings.push(sentence),
      now: () => clock.now,
      errorLine: (error) => error.message,
      shownStack: (stack) => stack,
    },
  );
  return { logs, warnings, clock, read: (of = id) => readFileSync(logs.locationOf(of), "utf8") };
}

describe("the log of an attempt", () => {
  it("is at a place that its names make, whatever is in them", () => {
    const { logs } = logsIn("/logs", "r/7");
    expect(logs.locationOf(id)).toBe("/logs/lake/r=2f7/clean/2024-01/2.log");
    expect(logs.locationOf({ step: "a.b", partition: "..", attempt: 1 })).toBe("/logs/lake/r=2f7/a=2eb/=2e=2e/1.log");
    expect(logs.locationOf({ step: "total", partition: undefined, attempt: 1 })).toBe("/logs/lake/r=2f7/total/1.log");
    expect(logs.locationOf({ step: "total", partition: "1.log", attempt: 1 })).toBe(
      "/logs/lake/r=2f7/total/1=2elog/1.log",
    );
  });

  it("has the start, what the step logs and prints, and the end", () => {
    const { logs, clock, read } = logsIn(work.path);
    logs.start(id);
    const log = logs.of(id)!;
    log.line("two\nlines");
    log.output("stdout", "begun, ");
    log.output("stderr", Buffer.from("warned é\n").subarray(0, 8));
    log.output("stdout", "ended\nnot ended");
    log.output("stderr", Buffer.from("warned é\n").subarray(8));
    clock.now += 1_200;
    logs.end(id, succeeded);
    log.line("late");
    expect(logs.of(id)).toBe(undefined);
    expect(read()).toBe(
      [
        `${AT} start step 'clean' of 2024-01, attempt 2`,
        `${AT} log   two`,
        `${AT} log   lines`,
        `${AT} out   begun, ended`,
        `${AT} err   warned é`,
        "2026-11-30T01:02:04.656Z out   not ended",
        "2026-11-30T01:02:04.656Z end   succeeded in 1.2 s",
        "",
      ].join("\n"),
    );
  });

  it("has each line as soon as it is written", () => {
    const { logs, read } = logsIn(work.path);
    using _logs = logs;
    logs.start(id);
    logs.of(id)!.line("about to crash");
    expect(read()).toContain("log   about to crash\n");
  });

  it("tells of a failure by its stack, what caused it, and its sentence", () => {
    const { logs, read } = logsIn(work.path);
    logs.start(id);
    const error = new Error("no rows", { cause: Object.assign(new Error("refused"), { token: "secret" }) });
    logs.end(id, { status: "failed", error });
    const text = read();
    expect(text).toContain(`${AT} stack Error: no rows\n${AT} stack     at `);
    expect(text).toContain(`${AT} stack caused by: Error: refused\n`);
    expect(text).toMatch(/ end   failed in 0 ms: no rows\n$/);
    expect(text).not.toContain("secret");
  });

  it.each(["timed-out", "cancelled"] as const)("has no stack where the step didn't make the error: %s", (status) => {
    const { logs, read } = logsIn(work.path);
    logs.start(id);
    logs.end(id, { status, error: new Error("took too long") });
    expect(read()).toBe(
      `${AT} start step 'clean' of 2024-01, attempt 2\n${AT} end   ${status} in 0 ms: took too long\n`,
    );
  });

  it("has its end also when the error's stack can't be read", () => {
    const { logs, read } = logsIn(work.path);
    logs.start(id);
    const error = Object.defineProperty(new Error("odd"), "stack", {
      get() {
        throw new Error("no");
      },
    });
    logs.end(id, { status: "failed", error });
    expect(read()).toMatch(/ end   failed in 0 ms: odd\n$/);
  });

  it("is bounded, and its end says how many lines are left out", () => {
    const { logs, read } = logsIn(work.path);
    logs.start(id);
    const log = logs.of(id)!;
    const line = "x".repeat(60 * 1024);
    for (let i = 0; i < 300; i++) log.output("stdout", `${line}\n`);
    log.line("too late");
    log.output("stdout", "neither");
    logs.end(id, succeeded);
    const text = read();
    const written = text.split("\n").filter((l) => l.includes("out   x")).length;
    expect(written).toBe(Math.floor(ATTEMPT_BYTES_MAX / (line.length + 32)));
    expect(text.length).toBeLessThan(ATTEMPT_BYTES_MAX + 200);
    const last = `end   succeeded in 0 ms (${302 - written} lines left out: a log takes 10 MiB)\n`;
    expect(text.slice(-last.length)).toBe(last);
  });

  it("follows what is in its file already, also where that ends within a line", () => {
    const { logs, read } = logsIn(work.path);
    mkdirSync(path.dirname(logs.locationOf(id)), { recursive: true });
    writeFileSync(logs.locationOf(id), `${AT} out   torn`);
    logs.start(id);
    logs.end(id, succeeded);
    expect(read()).toBe(
      `${AT} out   torn\n${AT} start step 'clean' of 2024-01, attempt 2, started again: what is above is older\n${AT} end   succeeded in 0 ms\n`,
    );
  });
});

describe("where logs can't be written", () => {
  const other = { ...id, partition: "2024-02" };

  it("a run goes on with one warning, and with logs once they can be", () => {
    const { logs, warnings, read } = logsIn(work.path);
    const inTheWay = path.join(work.path, "lake");
    writeFileSync(inTheWay, "");
    for (const attempt of [1, 2]) {
      const failing = { ...id, attempt };
      logs.start(failing);
      logs.of(failing)!.line("lost");
      logs.end(failing, succeeded);
    }
    rmSync(inTheWay);
    logs.start(other);
    logs.end(other, succeeded);
    expect(read(other)).toMatch(/ end   succeeded in 0 ms\n$/);
    expect(warnings).toEqual([
      `${logs.locationOf({ ...id, attempt: 1 })} can't be written, so that the run goes on without some of its logs: ENOTDIR: not a directory, open '${logs.locationOf({ ...id, attempt: 1 })}'`,
    ]);
  });

  it.skipIf(process.platform !== "linux")("a disk that is always full costs one warning", () => {
    const { logs, warnings } = logsIn(work.path);
    mkdirSync(path.dirname(logs.locationOf(id)), { recursive: true });
    symlinkSync("/dev/full", logs.locationOf(id));
    logs.start(id);
    for (let i = 0; i < 10; i++) logs.of(id)!.line("lost");
    logs.end(id, succeeded);
    expect(warnings).toEqual([
      `${logs.locationOf(id)} can't be written, so that the run goes on without some of its logs: ENOSPC: no space left on device, write`,
    ]);
  });

  it("what a disk that fills up has no room for is counted, and the end is there if there is room again", (test) => {
    using disk = mountedDisk();
    if (disk === undefined) test.skip();
    const ballast = path.join(work.path, "ballast");
    writeFileSync(ballast, Buffer.alloc(40 * 1024));
    const { logs, warnings, read } = logsIn(work.path);
    logs.start(id);
    for (let i = 0; i < 10; i++) logs.of(id)!.line(String(i).repeat(5_000));
    rmSync(ballast);
    logs.end(id, succeeded);
    const lines = read().split("\n");
    expect(lines.filter((line) => line.length === 5_031)).toHaveLength(4);
    expect(lines.at(-2)).toBe(`${AT} end   succeeded in 0 ms (6 lines left out: writing failed)`);
    expect(lines.every((line) => line === "" || line.startsWith(AT))).toBe(true);
    expect(warnings).toHaveLength(1);
  });
});

/** Puts a disk of 64 KiB over the test's folder, where the user may do so. */
function mountedDisk(): Disposable | undefined {
  try {
    execFileSync("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", work.path], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return { [Symbol.dispose]: () => execFileSync("/usr/bin/umount", [work.path]) };
}
