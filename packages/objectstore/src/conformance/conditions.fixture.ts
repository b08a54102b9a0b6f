import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../index.ts";
import { read, textOf, type TestStore } from "./test-store.fixture.ts";

/** Writes that depend on what is there. */
export function conditionsConform(tested: () => TestStore): void {
  let store: ObjectStore;
  beforeAll(() => {
    ({ store } = tested());
  });

  describe("conditions", () => {
    it("let a put-if-absent write only where there is nothing", async () => {
      await store.put("conditions/absent", "first", { ifAbsent: true });
      await expect(store.put("conditions/absent", "second", { ifAbsent: true })).rejects.toMatchObject({
        code: "conflict",
        message: `object "conditions/absent" in ${store.location} wasn't written: there is one already`,
      });
      expect(await read(store, "conditions/absent")).toBe("first");
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
        expect(won).toEqual([await read(store, key)]);
        expect(lost).toEqual(Array.from({ length: 7 }, () => "conflict"));
      }
    });

    it("let eight writers count together by conditional replaces", async () => {
      await store.put("counter", "0");
      const increment = async () => {
        for (;;) {
          const { bytes, etag } = await store.get("counter");
          try {
            return await store.put("counter", String(Number(textOf(bytes)) + 1), { ifMatch: etag });
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
      expect(await read(store, "counter")).toBe("40");
    });
  });
}
