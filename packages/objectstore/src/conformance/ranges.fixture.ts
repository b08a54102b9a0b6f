import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectStore } from "../index.ts";
import { collected, textOf, type TestStore } from "./test-store.fixture.ts";

/** Parts of objects. */
export function rangesConform(tested: () => TestStore): void {
  let store: ObjectStore;
  beforeAll(() => {
    ({ store } = tested());
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
      expect(textOf(got.bytes)).toBe(expected);
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
}
