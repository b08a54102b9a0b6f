import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FolderStore } from "./folder-store.ts";

let root: string;
let store: FolderStore;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "objectstore-"));
  store = new FolderStore(root);
});
afterEach(() => rm(root, { recursive: true }));

/** A process whose lines are given as they come, until `kill`. */
function start(fixture: string, ...words: string[]) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, fixture), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  return {
    lines,
    async kill() {
      const closed = once(lines, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}

it("conditional replaces by processes of which some are killed lose nothing, and do nothing twice", async () => {
  await store.put("journal", "");
  const said: string[] = [];
  const appender = (name: string, entries: number) => {
    const { lines, kill } = start("appender.fixture.ts", root, name);
    return (async () => {
      let count = 0;
      for await (const line of lines) {
        said.push(line);
        // killed in the midst of its next write, which nobody waits for
        if (++count === entries) void kill();
      }
    })();
  };
  await Promise.all([appender("a", 4), appender("b", 9), appender("c", 14)]);
  await Promise.all([appender("d", 6), appender("e", 3)]);

  const journal = new TextDecoder()
    .decode((await store.get("journal")).bytes)
    .split("\n")
    .slice(0, -1);
  expect(new Set(journal).size).toBe(journal.length);
  expect(said.filter((entry) => !journal.includes(entry))).toEqual([]);
  // each process may have written one more than it could say
  expect(journal.length).toBeLessThanOrEqual(said.length + 5);
  for (const name of "abcde") {
    const own = journal.filter((entry) => entry.startsWith(name));
    expect(own).toEqual(own.map((_, i) => `${name}-${i}`));
  }
});

it("the lock of a process that was killed is taken from it", async () => {
  const { etag } = await store.put("a", "first");
  const holder = start("holder.fixture.ts", path.join(root, "a"));
  await once(holder.lines, "line");
  await holder.kill();
  await store.put("a", "second", { ifMatch: etag });
  expect(new TextDecoder().decode((await store.get("a")).bytes)).toBe("second");
  expect(await readdir(root)).toEqual(["a"]);
});
