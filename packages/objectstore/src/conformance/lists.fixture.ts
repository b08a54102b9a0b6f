import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../index.ts";
import { arrayOf, keys, type TestStore } from "./test-store.fixture.ts";

/** Which keys there are, in order. */
export function listsConform(tested: () => TestStore): void {
  let store: ObjectStore;
  beforeAll(() => {
    ({ store } = tested());
  });

  describe("lists", () => {
    // in the order of their UTF-8 bytes; in UTF-16 the last two are the other way round
    const ordered = ["a", "b!c", "b-c", "b/c", "b/d/e", "b/d0", "b0", "z", "\uffee", "🦈"].map((key) => `list/${key}`);
    beforeAll(async () => {
      for (const key of ordered.toReversed()) await store.put(key, key);
    });

    it("have all keys that begin with a prefix, in order", async () => {
      expect(await keys(store, "list/")).toEqual(ordered);
      expect(await keys(store, "list/b")).toEqual(ordered.slice(1, 7));
      expect(await keys(store, "list/b/")).toEqual(["list/b/c", "list/b/d/e", "list/b/d0"]);
      expect(await keys(store, "list/b/d/e")).toEqual(["list/b/d/e"]);
      expect(await keys(store, "lis")).toEqual(ordered);
      for (const none of ["list/none", "list/none/", "list/a/", "/", "..", "../", "list//"])
        expect(await keys(store, none)).toEqual([]);
      expect(await keys(store, "")).toEqual(expect.arrayContaining(ordered));
    });

    it("say what head says", async () => {
      const [listed] = await arrayOf(store.list("list/a"));
      const head = await store.head("list/a");
      expect({ ...listed, lastModified: undefined }).toEqual({ ...head, lastModified: undefined });
      // S3's Last-Modified header has no milliseconds
      expect(Math.abs(listed!.lastModified.getTime() - head!.lastModified.getTime())).toBeLessThan(1000);
    });

    it("begin after a key, whether it is there or not", async () => {
      for (const [i, key] of ordered.entries()) {
        expect(await keys(store, "list/", { startAfter: key })).toEqual(ordered.slice(i + 1));
        expect(await keys(store, "list/", { startAfter: `${key}!` })).toEqual(
          ordered.slice(i + 1).filter((later) => Buffer.compare(Buffer.from(later), Buffer.from(`${key}!`)) > 0),
        );
      }
      expect(await keys(store, "list/", { startAfter: "a" })).toEqual(ordered);
    });

    it("have the folders beneath a folder", async () => {
      expect(await arrayOf(store.listFolders("list/"))).toEqual(["list/b/"]);
      expect(await arrayOf(store.listFolders("list/b/"))).toEqual(["list/b/d/"]);
      expect(await arrayOf(store.listFolders("list/none/"))).toEqual([]);
      expect(await arrayOf(store.listFolders(""))).toContain("list/");
      await expect(arrayOf(store.listFolders("list"))).rejects.toMatchObject({ code: "invalid-key" });
    });

    it("have no folder whose objects are deleted", async () => {
      await store.put("emptied/x/y/z", "x");
      await store.delete("emptied/x/y/z");
      expect(await arrayOf(store.listFolders(""))).not.toContain("emptied/");
      await store.put("emptied", "now a key");
      expect(await keys(store, "emptied")).toEqual(["emptied"]);
    });

    it("of 2,500 keys come whole, and deleteMany deletes them", async () => {
      const many = Array.from({ length: 2_500 }, (_, i) => `many/${i % 3}/${String(i).padStart(4, "0")}`).sort();
      await tested().seed(many);
      expect(await keys(store, "many/")).toEqual(many);
      expect(await keys(store, "many/", { startAfter: many[1234] })).toEqual(many.slice(1235));
      for await (const { key } of store.list("many/")) {
        expect(key).toBe(many[0]);
        break;
      }
      await store.deleteMany(many);
      expect(await keys(store, "many/")).toEqual([]);
    });
  });
}
