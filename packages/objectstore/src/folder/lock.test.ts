import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { codeOf } from "./disk-error.ts";
import { LOST, withLock } from "./lock.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "objectstore-"));
  file = path.join(folder, "a");
});
afterEach(() => rm(folder, { recursive: true }));

/** Puts a text in place of the file as a put does: by a rename from the holder's own folder. */
async function replace(held: string, text: string): Promise<typeof LOST | undefined> {
  try {
    await writeFile(path.join(held, "new"), text);
    await rename(path.join(held, "new"), file);
    return undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return LOST;
    throw error;
  }
}

it("a lock is had by one at a time, and leaves nothing", async () => {
  let holders = 0;
  const counts: number[] = [];
  const hold = () =>
    withLock(file, undefined, async () => {
      counts.push(++holders);
      await readdir(folder);
      holders--;
      return undefined;
    });
  await Promise.all(Array.from({ length: 8 }, hold));
  expect(counts).toEqual(Array.from({ length: 8 }, () => 1));
  expect(await readdir(folder)).toEqual([]);
});

it("a holder that is so slow that its lock is taken from it can't write, and takes the lock again", async () => {
  const slow = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const results: unknown[] = [];
  const first = withLock(file, undefined, async (own) => {
    held.resolve();
    await slow.promise;
    results.push(await replace(own, `first, having seen ${await readFile(file, "utf8").catch(() => "nothing")}`));
    return results.at(-1) as typeof LOST | undefined;
  });
  await held.promise;
  await withLock(file, undefined, async (own) => {
    // the first wakes while the second has the lock
    slow.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    return await replace(own, "second");
  });
  await first;
  expect(results).toEqual([LOST, undefined]);
  expect(await readFile(file, "utf8")).toBe("first, having seen second");
  expect(await readdir(folder)).toEqual(["a"]);
});

it("who waits for a lock can be told to stop", async () => {
  const reason = new Error("no longer wanted");
  const stop = new AbortController();
  const released = Promise.withResolvers<undefined>();
  const held = Promise.withResolvers<void>();
  const holding = withLock(file, undefined, () => {
    held.resolve();
    return released.promise;
  });
  await held.promise;
  const waiting = withLock(file, stop.signal, async () => undefined);
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  released.resolve(undefined);
  await holding;
  expect(await readdir(folder)).toEqual([]);
});
