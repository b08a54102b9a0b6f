import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore, ObjectStream } from "./index.ts";

/** A store to test, with nothing in it, and what ends it. */
export interface TestStore extends AsyncDisposable {
  readonly store: ObjectStore;
  /** Writes objects that hold their keys, as another program would: there are many. */
  seed(keys: readonly string[]): Promise<void>;
}

const text = new TextDecoder();
const PIECE_BYTES = 777_776;
const BIG_BYTES = 24 * 1024 * 1024;

/** What every store does, whatever its objects are in. */
export function itConforms(open: () => Promise<TestStore>): void {
  let opened: TestStore;
  let store: ObjectStore;
  beforeAll(async () => {
    opened = await open();
    ({ store } = opened);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const read = async (key: string) => text.decode((await store.get(key)).bytes);
  const keys = async (prefix: string, options?: Parameters<ObjectStore["list"]>[1]) =>
    (await arrayOf(store.list(prefix, options))).map(({ key }) => key);

  describe("objects", () => {
    it("are read as they were written", async () => {
      const { etag } = await store.put("objects/a.txt", "first");
      const got = await store.get("objects/a.txt");
      expect(text.decode(got.bytes)).toBe("first");
      expect(got).toMatchObject({ key: "objects/a.txt", etag, size: 5 });
      expect(Math.abs(got.lastModified.getTime() - Date.now())).toBeLessThan(60_000);
      const { bytes: _, ...info } = got;
      expect(await store.head("objects/a.txt")).toEqual(info);
    });

    it("are replaced, and have another etag then", async () => {
      const first = await store.put("objects/b", "first");
      const second = await store.put("objects/b", "again");
      expect(second.etag).not.toBe(first.etag);
      expect(await read("objects/b")).toBe("again");
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
      expect(await keys("objects/many")).toEqual([]);
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
      expect(await read(`keys/${key}`)).toBe(key);
      expect(await keys("keys/")).toContain(`keys/${key}`);
      await store.delete(`keys/${key}`);
      expect(await keys("keys/")).toEqual([]);
    });

    it("may have 255 bytes in a segment, and 1,024 in all", async () => {
      const long = `${"s".repeat(255)}/${"t".repeat(255)}/${"u".repeat(255)}/${"ä".repeat(100)}`;
      await store.put(long, "x");
      expect(await keys("sss")).toEqual([long]);
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

  describe("ranges", () => {
    beforeAll(() => store.put("range", "0123456789"));

    it.each([
      [{ start: 0, end: 1 }, "0"],
      [{ start: 3, end: 5 }, "34"],
      [{ start: 8 }, "89"],
      [{ start: 8, end: 99 }, "89"],
      [{ suffix: 3 }, "789"],
      [{ suffix: 99 }, "0123456789"],
    ])("give the bytes of %j", async (range, expected) => {
      const got = await store.get("range", { range });
      expect(text.decode(got.bytes)).toBe(expected);
      expect(got.size).toBe(10);
      expect(await collected(await store.stream("range", { range }))).toBe(expected);
    });

    it.each([{ start: 10 }, { start: 99, end: 100 }])("beyond the end are refused: %j", async (range) => {
      const error = {
        code: "invalid-range",
        message: `byte ${range.start} is beyond the end of "range", which has 10 bytes`,
      };
      await expect(store.get("range", { range })).rejects.toMatchObject(error);
      await expect(store.stream("range", { range })).rejects.toMatchObject(error);
    });

    it.each([{ start: -1 }, { start: 5, end: 5 }, { start: 1.5 }, { suffix: 0 }, { suffix: Number.NaN }])(
      "of no bytes are refused: %j",
      async (range) => {
        await expect(store.get("range", { range })).rejects.toMatchObject({ code: "invalid-range" });
      },
    );
  });

  describe("conditions", () => {
    it("let a put-if-absent write only where there is nothing", async () => {
      await store.put("conditions/absent", "first", { ifAbsent: true });
      await expect(store.put("conditions/absent", "second", { ifAbsent: true })).rejects.toMatchObject({
        code: "conflict",
        message: `object "conditions/absent" in ${store.location} wasn't written: there is one already`,
      });
      expect(await read("conditions/absent")).toBe("first");
      await store.delete("conditions/absent");
      await store.put("conditions/absent", "third", { ifAbsent: true });
    });

    it("let a conditional replace write only over what it names", async () => {
      const first = await store.put("conditions/match", "first");
      const second = await store.put("conditions/match", "second", { ifMatch: first.etag });
      await expect(store.put("conditions/match", "third", { ifMatch: first.etag })).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining(`is no longer the one of etag ${first.etag}`),
      });
      expect(await store.head("conditions/match")).toMatchObject({ etag: second.etag });
      await store.delete("conditions/match");
      await expect(store.put("conditions/match", "x", { ifMatch: second.etag })).rejects.toMatchObject({
        code: "conflict",
      });
      expect(await store.head("conditions/match")).toBeUndefined();
    });

    it("exclude each other", async () => {
      const both = { ifAbsent: true, ifMatch: "x" } as object;
      await expect(store.put("conditions/both", "x", both)).rejects.toMatchObject({ code: "invalid-option" });
      await expect(store.put("conditions/both", "x", { ifMatch: "" })).rejects.toMatchObject({
        code: "invalid-option",
      });
    });

    it("let one of eight puts-if-absent win", async () => {
      for (const key of ["races/1", "races/2", "races/3"]) {
        const racers = Array.from({ length: 8 }, (_, i) => store.put(key, `racer ${i}`, { ifAbsent: true }));
        const results = await Promise.allSettled(racers);
        const won = results.flatMap(({ status }, i) => (status === "fulfilled" ? [`racer ${i}`] : []));
        const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
        expect(won).toEqual([await read(key)]);
        expect(lost).toEqual(Array.from({ length: 7 }, () => "conflict"));
      }
    });

    it("let eight writers count together by conditional replaces", async () => {
      await store.put("counter", "0");
      const increment = async () => {
        for (;;) {
          const { bytes, etag } = await store.get("counter");
          try {
            return await store.put("counter", String(Number(text.decode(bytes)) + 1), { ifMatch: etag });
          } catch (error) {
            if ((error as { code?: string }).code !== "conflict") throw error;
          }
        }
      };
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let i = 0; i < 5; i++) await increment();
        }),
      );
      expect(await read("counter")).toBe("40");
    });
  });

  describe("bodies", () => {
    it("of several pieces are written as one, whose buffer may be used again", async () => {
      const buffer = new Uint8Array(2);
      await store.put(
        "bodies/pieces",
        (async function* () {
          for (const letter of "abc") {
            buffer.fill(letter.charCodeAt(0));
            yield buffer;
            yield new Uint8Array();
          }
        })(),
      );
      expect(await read("bodies/pieces")).toBe("aabbcc");
      await store.put("bodies/stream", (await store.stream("bodies/pieces")).body);
      expect(await read("bodies/stream")).toBe("aabbcc");
      await store.put("bodies/none", (async function* () {})());
      expect(await read("bodies/none")).toBe("");
    });

    it("of 24 MB are written and read back", async () => {
      await store.put("bodies/big", numbered(BIG_BYTES), { ifAbsent: true });
      const { body, size } = await store.stream("bodies/big");
      expect(size).toBe(BIG_BYTES);
      let count = 0;
      let wrong = 0;
      for await (const piece of body) {
        for (let i = 0; i < piece.length; i += 4096) if (piece[i] !== byteAt(count + i)) wrong++;
        count += piece.length;
      }
      expect([count, wrong]).toEqual([BIG_BYTES, 0]);
      const { bytes } = await store.get("bodies/big", { range: { suffix: 3 } });
      expect([...bytes]).toEqual([byteAt(BIG_BYTES - 3), byteAt(BIG_BYTES - 2), byteAt(BIG_BYTES - 1)]);
      await expect(store.put("bodies/big", numbered(9_000_000), { ifAbsent: true })).rejects.toMatchObject({
        code: "conflict",
      });
      await store.delete("bodies/big");
    });

    it.each([
      ["after a little", 10],
      ["after many parts", 18_000_000],
    ])("that fail %s leave nothing, and fail the put with their error", async (_, bytes) => {
      await expect(
        store.put(
          "bodies/failing",
          (async function* () {
            yield* numbered(bytes);
            throw new Error("the source is dry");
          })(),
        ),
      ).rejects.toThrow("the source is dry");
      expect(await store.head("bodies/failing")).toBeUndefined();
      expect(await keys("bodies/failing")).toEqual([]);
    });

    it.each([[null], [5], [{}]])("can't be %j", async (body) => {
      await expect(store.put("bodies/wrong", body as never)).rejects.toMatchObject({ code: "invalid-body" });
      const source = (async function* () {
        yield body;
      })();
      await expect(store.put("bodies/wrong", source as never)).rejects.toMatchObject({ code: "invalid-body" });
      expect(await store.head("bodies/wrong")).toBeUndefined();
    });

    it("that are read may be given up", async () => {
      await store.put("bodies/unread", numbered(1_000_000));
      const unread = await store.stream("bodies/unread");
      await unread.body.cancel();
      expect((await unread.body.getReader().read()).done).toBe(true);
      const begun = await store.stream("bodies/unread");
      for await (const piece of begun.body) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      expect((await begun.body.getReader().read()).done).toBe(true);
    });

    it("that are read stay what they were when the object is replaced or deleted", async () => {
      await store.put("bodies/replaced", numbered(300_000));
      const { body } = await store.stream("bodies/replaced");
      await store.put("bodies/replaced", "short");
      await store.delete("bodies/replaced");
      let count = 0;
      for await (const piece of body) count += piece.length;
      expect(count).toBe(300_000);
    });
  });

  describe("signals", () => {
    const reason = new Error("no longer wanted");

    it("that are aborted already end everything", async () => {
      await store.put("signals/there", "x");
      const options = { signal: AbortSignal.abort(reason) };
      await expect(store.get("signals/there", options)).rejects.toBe(reason);
      await expect(store.stream("signals/there", options)).rejects.toBe(reason);
      await expect(store.head("signals/there", options)).rejects.toBe(reason);
      await expect(store.put("signals/new", "x", options)).rejects.toBe(reason);
      await expect(store.delete("signals/there", options)).rejects.toBe(reason);
      await expect(store.deleteMany(["signals/there"], options)).rejects.toBe(reason);
      await expect(arrayOf(store.list("signals/", options))).rejects.toBe(reason);
      await expect(arrayOf(store.listFolders("", options))).rejects.toBe(reason);
      expect(await keys("signals/")).toEqual(["signals/there"]);
    });

    it.each([
      ["a little", 10],
      ["many parts", 18_000_000],
    ])("end a put that waits for its source after %s, and leave nothing", async (_, bytes) => {
      const stop = new AbortController();
      const source = (async function* () {
        yield* numbered(bytes);
        stop.abort(reason);
        await new Promise(() => undefined);
      })();
      await expect(store.put("signals/put", source, { signal: stop.signal })).rejects.toBe(reason);
      expect(await store.head("signals/put")).toBeUndefined();
    });

    it("end a stream", async () => {
      await store.put("signals/stream", numbered(3_000_000));
      const stop = new AbortController();
      const { body } = await store.stream("signals/stream", { signal: stop.signal });
      const reading = (async () => {
        for await (const _ of body) stop.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
    });
  });

  describe("lists", () => {
    // in the order of their UTF-8 bytes; in UTF-16 the last two are the other way round
    const ordered = ["a", "b!c", "b-c", "b/c", "b/d/e", "b/d0", "b0", "z", "\uffee", "🦈"].map((key) => `list/${key}`);
    beforeAll(async () => {
      for (const key of ordered.toReversed()) await store.put(key, key);
    });

    it("have all keys that begin with a prefix, in order", async () => {
      expect(await keys("list/")).toEqual(ordered);
      expect(await keys("list/b")).toEqual(ordered.slice(1, 7));
      expect(await keys("list/b/")).toEqual(["list/b/c", "list/b/d/e", "list/b/d0"]);
      expect(await keys("list/b/d/e")).toEqual(["list/b/d/e"]);
      expect(await keys("lis")).toEqual(ordered);
      for (const none of ["list/none", "list/none/", "list/a/", "/", "..", "../", "list//"])
        expect(await keys(none)).toEqual([]);
      expect(await keys("")).toEqual(expect.arrayContaining(ordered));
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
        expect(await keys("list/", { startAfter: key })).toEqual(ordered.slice(i + 1));
        expect(await keys("list/", { startAfter: `${key}!` })).toEqual(
          ordered.slice(i + 1).filter((later) => Buffer.compare(Buffer.from(later), Buffer.from(`${key}!`)) > 0),
        );
      }
      expect(await keys("list/", { startAfter: "a" })).toEqual(ordered);
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
      expect(await keys("emptied")).toEqual(["emptied"]);
    });

    it("of 2,500 keys come whole, and deleteMany deletes them", async () => {
      const many = Array.from({ length: 2_500 }, (_, i) => `many/${i % 3}/${String(i).padStart(4, "0")}`).sort();
      await opened.seed(many);
      expect(await keys("many/")).toEqual(many);
      expect(await keys("many/", { startAfter: many[1234] })).toEqual(many.slice(1235));
      for await (const { key } of store.list("many/")) {
        expect(key).toBe(many[0]);
        break;
      }
      await store.deleteMany(many);
      expect(await keys("many/")).toEqual([]);
    });
  });
}

/** So many bytes, in pieces of no round size: 0, 1, 2, … in four bytes each, so that none is at a wrong place unseen. */
export async function* numbered(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += PIECE_BYTES) {
    const numbers = new Uint32Array(PIECE_BYTES / 4);
    for (let i = 0; i < numbers.length; i++) numbers[i] = at / 4 + i;
    yield new Uint8Array(numbers.buffer, 0, Math.min(PIECE_BYTES, count - at));
  }
}

/** The byte at a place of `numbered`'s bytes. */
function byteAt(place: number): number {
  return ((place >>> 2) >>> (8 * (place & 3))) & 255;
}

async function arrayOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of source) all.push(value);
  return all;
}

async function collected({ body }: ObjectStream): Promise<string> {
  return (await arrayOf(body)).map((piece) => text.decode(piece)).join("");
}
