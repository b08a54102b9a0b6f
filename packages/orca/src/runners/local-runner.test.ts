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
    const runner = new LocalRunner({ folderOf: () => folder, env: process.env });
    const ended = Promise.withResolvers<ProcessEnd>();
    const run = { run: 1, pipeline: "lake", program, token: "t", allowsNewCode: false };
    const started = await runner.start(run, ended.resolve);
    const log = () => readFileSync(join(folder, "driver.log"), "utf8");
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
