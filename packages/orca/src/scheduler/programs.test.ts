import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeProgram, keysOfProgram } from "./programs.ts";

const folder = mkdtempSync(join(tmpdir(), "orca-programs-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { env } = process;

function program(text: string, mode = 0o755): string {
  const file = join(folder, `program-${Math.random()}`);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe("what can't describe itself is refused in a sentence", () => {
  it.each([
    ["#!/bin/sh\nexit 3", "it exited with 3, and said nothing"],
    ["#!/bin/sh\necho 'error: it is Monday' >&2; exit 1", "can't describe itself: it is Monday"],
    [
      "#!/usr/bin/env node\nthrow new TypeError('it is Monday\\nand late')",
      "can't describe itself: TypeError: it is Monday",
    ],
    ["#!/bin/sh\nkill -9 $$", "it was ended by SIGKILL"],
    ["#!/bin/sh\nhead -c 70000000 /dev/zero", "it prints more than 64 MiB"],
    ["#!/nowhere/sh\n", "there is no such file, or none of the name that is in its first line after #!"],
    ["#!/bin/sh\necho garbage", "it prints something that isn't JSON"],
    ["", "it prints something that isn't JSON"],
    ["#!/bin/sh\necho {}", "what it describes is no pipeline"],
  ])("%j", async (text, sentence) => {
    await expect(describeProgram(program(text), { env })).rejects.toMatchObject({
      code: "not-a-program",
      message: expect.stringContaining(sentence) as unknown,
    });
  });

  it("for want of a right to run it", async () => {
    await expect(describeProgram(program("#!/bin/sh", 0o600), { env })).rejects.toThrow("it may not be executed");
  });
});

it("a program that says its keys in something else than JSON can't say them", async () => {
  await expect(keysOfProgram(program("#!/bin/sh\necho a b"), { env })).rejects.toThrow(
    "can't say its keys: it prints something that isn't JSON",
  );
});

/** One that can only be killed, and says in a file which process it is. */
function deafProgram(): { readonly file: string; readonly said: string; pids(): Promise<readonly number[]> } {
  const said = join(folder, `pids-${Math.random()}`);
  const file = program(`#!/bin/sh
trap '' TERM HUP INT
sleep 600 >/dev/null 2>&1 &
echo $$ $! >${said}.new
mv ${said}.new ${said}
wait`);
  return {
    file,
    said,
    async pids() {
      await expect.poll(() => existsSync(said), { timeout: 10_000 }).toBe(true);
      return readFileSync(said, "utf8").trim().split(" ").map(Number);
    },
  };
}

it("a program that doesn't listen is ended with whoever asks it", async () => {
  const stop = new AbortController();
  const deaf = deafProgram();
  const asked = describeProgram(deaf.file, { env, signal: stop.signal });
  const pids = await deaf.pids();
  stop.abort();
  await expect(asked).rejects.toThrow("can't describe itself: it was ended, as it isn't waited for any more");
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  await expect(describeProgram(deaf.file, { env, signal: stop.signal })).rejects.toThrow("it was ended");
});

it("a program that is asked by a process that is killed ends with it, and what it has started", async () => {
  const deaf = deafProgram();
  const asking = `
    import { describeProgram } from ${JSON.stringify(join(import.meta.dirname, "../../dist/scheduler/programs.js"))};
    const answer = describeProgram(${JSON.stringify(deaf.file)}, { env: process.env });
    const { existsSync } = await import("node:fs");
    while (!existsSync(${JSON.stringify(deaf.said)})) await new Promise((resolve) => setTimeout(resolve, 5));
    console.log("it goes on");
    await answer;`;
  const asker = spawn(process.execPath, ["--input-type=module", "-e", asking], { stdio: ["ignore", "pipe", "ignore"] });
  await once(asker.stdout, "data"); // by then it has told what watches over it, which takes it a moment
  const pids = await deaf.pids();
  expect(pids.filter(isAlive)).toHaveLength(2);
  asker.kill("SIGKILL");
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
