import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../index.ts";
import { byteAt, numbered } from "./numbered.fixture.ts";
import { arrayOf, keys, read, type TestStore } from "./test-store.fixture.ts";

const BIG_BYTES = 24 * 1024 * 1024;

/** What is written and read piece by piece, and ends early. */
export function bodiesConform(tested: () => TestStore): void {
  let store: ObjectStore;
  beforeAll(() => {
    ({ store } = tested());
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
      expect(await read(store, "bodies/pieces")).toBe("aabbcc");
      await store.put("bodies/stream", (await store.stream("bodies/pieces")).body);
      expect(await read(store, "bodies/stream")).toBe("aabbcc");
      await store.put("bodies/none", (async function* () {})());
      expect(await read(store, "bodies/none")).toBe("");
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
      expect(await keys(store, "bodies/failing")).toEqual([]);
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
      expect(await keys(store, "signals/")).toEqual(["signals/there"]);
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

    it("end a list", async () => {
      for (const key of ["signals/list/1", "signals/list/2"]) await store.put(key, "x");
      const stop = new AbortController();
      const listing = (async () => {
        for await (const _ of store.list("signals/list/", { signal: stop.signal })) stop.abort(reason);
      })();
      await expect(listing).rejects.toBe(reason);
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
}
