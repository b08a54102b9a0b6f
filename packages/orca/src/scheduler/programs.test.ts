import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
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
    ["#!/bin/sh\necho 'error: it is Monday' >&2; exit 1", "can't describe: it is Monday"],
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
    "can't keys: it prints something that isn't JSON",
  );
});

it("a program that doesn't listen is ended with whoever asks it", async () => {
  const stop = new AbortController();
  const pidFile = join(folder, "pid");
  const text = `#!/bin/sh\ntrap '' TERM\necho $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}\nwhile :; do :; done`;
  const asked = describeProgram(program(text), { env, signal: stop.signal });
  asked.catch(() => {});
  await vi.waitUntil(() => existsSync(pidFile), { timeout: 20_000 });
  stop.abort();
  await expect(asked).rejects.toMatchObject({ code: "not-a-program" });
  expect(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0)).toThrow("ESRCH");
  await expect(describeProgram(program(text), { env, signal: stop.signal })).rejects.toThrow("it was ended");
});
