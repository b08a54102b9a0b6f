import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LocalRunner } from "./local-runner.ts";
import type { ProcessEnd } from "./runner.ts";

it("a process is ended with all that it has started, and its end is told once nothing is written any more", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orca-runner-"));
  try {
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\nsleep 600 &\necho $!\nwait\n");
    chmodSync(program, 0o755);
    const file = join(folder, "runs", "driver-1.log");
    const runner = new LocalRunner({
      fileOf: () => file,
      locationOf: () => file,
      written: async () => {},
      env: process.env,
    });
    const ended = Promise.withResolvers<ProcessEnd>();
    const run = { run: 1, pipeline: "lake", program, token: "t", allowsNewCode: false, launch: 1 };
    const started = await runner.start(run, ended.resolve);
    const log = () => readFileSync(file, "utf8");
    await expect.poll(log, { timeout: 10_000 }).toMatch(/\d+\n/);
    started.kill();
    expect(await ended.promise).toMatchObject({
      token: "t",
      how: expect.stringContaining("was ended by SIGKILL") as unknown,
    });
    const isGone = () => {
      try {
        return readFileSync(`/proc/${log().trim()}/stat`, "utf8").includes(") Z ");
      } catch {
        return true;
      }
    };
    await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
    started.kill();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("of what a process printed the last line is told, however much it was", async () => {
  const folder = mkdtempSync(join(tmpdir(), "orca-runner-"));
  try {
    const [program, file] = [join(folder, "program"), join(folder, "driver-1.log")];
    writeFileSync(program, "#!/bin/sh\nseq 1 1000000\necho 'error: no rain' >&2\nexit 1\n");
    chmodSync(program, 0o755);
    const written = Promise.withResolvers<string>();
    const runner = new LocalRunner({
      fileOf: () => file,
      locationOf: () => file,
      written: async (one) => written.resolve(one),
      env: process.env,
    });
    const ended = Promise.withResolvers<ProcessEnd>();
    await runner.start(
      { run: 1, pipeline: "lake", program, token: "t", allowsNewCode: false, launch: 1 },
      ended.resolve,
    );
    expect(await ended.promise).toEqual({ token: "t", how: "its process exited with 1: error: no rain" });
    expect(await written.promise).toBe(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
