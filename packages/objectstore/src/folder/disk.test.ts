import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FolderStore } from "./folder-store.ts";

let root: string;
let store: FolderStore;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "objectstore-"));
  store = new FolderStore(root);
});
afterEach(() => rm(root, { recursive: true }));

async function keys(prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found;
}

it("an object is a file that any program can read, and nothing else is left beside it", async () => {
  await store.put("a/b", "text", { ifAbsent: true });
  await store.put("a/b", "again");
  await store.put("a/b", "third", { ifMatch: (await store.head("a/b"))!.etag });
  expect(await readFile(path.join(root, "a/b"), "utf8")).toBe("third");
  expect(await readdir(path.join(root, "a"))).toEqual(["b"]);
  await store.delete("a/b");
  expect(await readdir(root)).toEqual([]);
  expect((await stat(root)).isDirectory()).toBe(true);
});

it("versions that were written within a tick of the clock have other etags, each later than the one before", async () => {
  const etags = new Set<string>();
  let last = 0n;
  for (let i = 0; i < 50; i++) {
    etags.add((await store.put("a", "same")).etag);
    const { mtimeNs } = await stat(path.join(root, "a"), { bigint: true });
    expect(mtimeNs).toBeGreaterThan(last);
    last = mtimeNs;
  }
  expect(etags.size).toBe(50);
});

it("no key can be another's folder", async () => {
  await store.put("a", "x");
  await store.put("b/c", "x");
  const error = { code: "invalid-key", message: expect.stringContaining("no key can be another's folder") };
  await expect(store.put("a/b", "x")).rejects.toMatchObject(error);
  for (const options of [{}, { ifAbsent: true }] as const)
    await expect(store.put("b", "x", options)).rejects.toMatchObject(error);
  await expect(store.put("b", "x", { ifMatch: "e" })).rejects.toMatchObject({ code: "conflict" });
  expect(await store.head("a/b")).toBeUndefined();
  await store.delete("a/b");
  await store.delete("b");
  expect(await keys()).toEqual(["a", "b/c"]);
});

describe("what writers that were killed left", () => {
  const leftovers = async () => {
    await writeFile(path.join(root, ".~half-written"), "ha");
    await mkdir(path.join(root, ".~0123.lock", "holder"), { recursive: true });
  };

  it("is no object, and no folder", async () => {
    await leftovers();
    expect(await keys()).toEqual([]);
    for await (const folder of store.listFolders("")) expect.unreachable(folder);
  });

  it("is removed by the first write to its folder when it is older than a day", async () => {
    await leftovers();
    await store.put("a", "x");
    expect(await readdir(root)).toHaveLength(3);
    const old = Date.now() / 1000 - 25 * 3600;
    for (const name of [".~half-written", ".~0123.lock"]) await utimes(path.join(root, name), old, old);
    await new FolderStore(root).put("b", "x");
    expect(await readdir(root)).toEqual(["a", "b"]);
  });
});

it("a file that is cut short while it is read is an error, never short data", async () => {
  await store.put("a", new Uint8Array(1_000_000));
  const { body } = await store.stream("a");
  const reader = body.getReader();
  await reader.read();
  await truncate(path.join(root, "a"), 300_000);
  const reading = (async () => {
    while (!(await reader.read()).done);
  })();
  await expect(reading).rejects.toMatchObject({ code: "failed", message: expect.stringContaining("was cut short") });
});

it("links to files are objects, and links to folders are not gone into", async () => {
  await store.put("a", "x");
  await store.put("b/c", "x");
  await symlink(path.join(root, "a"), path.join(root, "link"));
  await symlink(root, path.join(root, "b", "loop"));
  await symlink(path.join(root, "none"), path.join(root, "dangling"));
  expect(await keys()).toEqual(["a", "b/c", "link"]);
});

it("a folder that can't be made is an error with the system's reason", async () => {
  await writeFile(path.join(root, "file"), "");
  const below = new FolderStore(path.join(root, "file", "lake"));
  await expect(below.put("a", "x")).rejects.toMatchObject({ code: "invalid-key", cause: { code: "ENOTDIR" } });
  expect(await below.head("a")).toBeUndefined();
  const forbidden = new FolderStore("/proc/lake");
  await expect(forbidden.put("a", "x")).rejects.toMatchObject({
    message: expect.stringContaining(`can't write "a" in /proc/lake`),
  });
});
