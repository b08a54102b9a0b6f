import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../index.ts";
import { collected, keys, read, textOf, type TestStore } from "./test-store.fixture.ts";

/** What is read and written, and under which keys. */
export function objectsConform(tested: () => TestStore): void {
  let store: ObjectStore;
  beforeAll(() => {
    ({ store } = tested());
  });

  describe("objects", () => {
    it("are read as they were written", async () => {
      const { etag } = await store.put("objects/a.txt", "first");
      const got = await store.get("objects/a.txt");
      expect(textOf(got.bytes)).toBe("first");
      expect(got).toMatchObject({ key: "objects/a.txt", etag, size: 5 });
      expect(Math.abs(got.lastModified.getTime() - Date.now())).toBeLessThan(60_000);
      const { bytes: _, ...info } = got;
      expect(await store.head("objects/a.txt")).toEqual(info);
    });

    it("are replaced, and have another etag then", async () => {
      const first = await store.put("objects/b", "first");
      const second = await store.put("objects/b", "again");
      expect(second.etag).not.toBe(first.etag);
      expect(await read(store, "objects/b")).toBe("again");
    });

    it("may be empty", async () => {
      await store.put("objects/empty", "");
      expect((await store.get("objects/empty")).bytes).toEqual(new Uint8Array());
      expect(await collected(await store.stream("objects/empty"))).toBe("");
      expect((await store.get("objects/empty", { range: { suffix: 5 } })).bytes).toEqual(new Uint8Array());
      await expect(store.get("objects/empty", { range: { start: 0 } })).rejects.toMatchObject({
        code: "invalid-range",
      });
    });

    it("that aren't there are undefined for head, and an error for get and stream", async () => {
      expect(await store.head("objects/none")).toBeUndefined();
      const error = {
        code: "not-found",
        message: `there is no object "objects/none" in ${store.location}`,
      };
      await expect(store.get("objects/none")).rejects.toMatchObject(error);
      await expect(store.stream("objects/none")).rejects.toMatchObject(error);
      await expect(store.get("objects/none/deeper")).rejects.toMatchObject({ code: "not-found" });
      await expect(store.get("objects")).rejects.toMatchObject({ code: "not-found" });
    });

    it("are deleted, also when they aren't there", async () => {
      await store.put("objects/gone", "x");
      await store.delete("objects/gone");
      await store.delete("objects/gone");
      expect(await store.head("objects/gone")).toBeUndefined();
      await store.put("objects/many/1", "x");
      await store.put("objects/many/2", "x");
      await store.deleteMany(["objects/many/1", "objects/many/none", "objects/many/2"]);
      expect(await keys(store, "objects/many")).toEqual([]);
    });

    it("are bytes that are the store's own: changing those given or got changes nothing", async () => {
      const bytes = Uint8Array.of(1, 2, 3);
      await store.put("objects/own", bytes);
      bytes[0] = 9;
      (await store.get("objects/own")).bytes[1] = 9;
      expect([...(await store.get("objects/own")).bytes]).toEqual([1, 2, 3]);
    });

    it("have a URL", () => {
      expect(store.urlOf("a/b c.txt")).toMatch(/^(file:\/\/|s3:\/\/|memory:).*\/a\/b( |%20)c\.txt$/);
    });
  });

  describe("keys", () => {
    it.each([
      "ä/ö ü.txt",
      "日本/語",
      "🦈/shark",
      "a+b&c=d?e#f%20%2F",
      'it\'s (a) "key"*!~',
      "k=1/v=ä",
      ".hidden",
      "e\u0301",
    ])("may be %j", async (key) => {
      await store.put(`keys/${key}`, key);
      expect(await read(store, `keys/${key}`)).toBe(key);
      expect(await keys(store, "keys/")).toContain(`keys/${key}`);
      await store.delete(`keys/${key}`);
      expect(await keys(store, "keys/")).toEqual([]);
    });

    it("may have 255 bytes in a segment, and 1,024 in all", async () => {
      const long = `${"s".repeat(255)}/${"t".repeat(255)}/${"u".repeat(255)}/${"ä".repeat(100)}`;
      await store.put(long, "x");
      expect(await keys(store, "sss")).toEqual([long]);
      await store.delete(long);
    });

    it.each([
      ["", "is empty"],
      ["/a", "begins with a slash"],
      ["a//b", "has an empty segment"],
      ["a/", "has an empty segment"],
      ["a/../b", "has the segment '..'"],
      ["./a", "has the segment '.'"],
      ["a\0b", "has a control character in it"],
      ["a\nb", "has a control character in it"],
      ["\ud800", "has half of a surrogate pair in it"],
      ["a/.~b", "has a segment that begins with '.~'"],
      ["a".repeat(256), "has a segment of more than 255 bytes"],
      ["a/".repeat(600), "has more than 1024 bytes"],
    ])("can't be %j", async (key, why) => {
      const error = { code: "invalid-key", message: expect.stringContaining(why) };
      await expect(store.get(key)).rejects.toMatchObject(error);
      await expect(store.stream(key)).rejects.toMatchObject(error);
      await expect(store.head(key)).rejects.toMatchObject(error);
      await expect(store.put(key, "x")).rejects.toMatchObject(error);
      await expect(store.delete(key)).rejects.toMatchObject(error);
      await expect(store.deleteMany([key])).rejects.toMatchObject(error);
      expect(() => store.urlOf(key)).toThrow(expect.objectContaining(error));
    });
  });
}
