import { expect, test } from "vitest";
import type { TablePreview } from "../core/table-preview.ts";
import { Previews } from "./previews.ts";

const NOW = new Date("2024-06-01T12:00:00Z");

function table(dataset: string): TablePreview {
  const none = { snapshot: null, rowCount: null, fileCount: null, bytes: null };
  return { dataset, ...none, columns: [], columnCount: 0, rows: [] };
}

test("what was read is given until it is read again", async () => {
  let reads = 0;
  const previews = new Previews(
    async (dataset) => ({ ...table(dataset), rowCount: ++reads }),
    () => NOW,
  );
  expect(previews.of("lake.raw")).toBeUndefined();
  await previews.read("lake.raw");
  expect(previews.of("lake.raw")).toMatchObject({ at: NOW, table: { rowCount: 1 }, error: null });
  await previews.read("lake.raw");
  expect(previews.of("lake.raw")?.table?.rowCount).toBe(2);
});

test("one is read at a time, and one that is being read isn't read twice", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const previews = new Previews(
    async (dataset) => {
      begun.push(dataset);
      await new Promise<void>((resolve) => ends.push(resolve));
      return table(dataset);
    },
    () => NOW,
  );
  const reading = ["a.a", "a.a", "b.b"].map((dataset) => previews.read(dataset));
  await expect.poll(() => begun).toEqual(["a.a"]);
  ends[0]!();
  await expect.poll(() => begun).toEqual(["a.a", "b.b"]);
  ends[1]!();
  await Promise.all(reading);
});

test("what can't be read is told in the sentence of why", async () => {
  const previews = new Previews(
    () => Promise.reject(new Error("there is no table")),
    () => NOW,
  );
  await previews.read("lake.raw");
  expect(previews.of("lake.raw")).toMatchObject({ table: null, error: "there is no table" });
});

test("too many at once are refused, and all where nothing reads", async () => {
  const previews = new Previews(
    () => new Promise(() => {}),
    () => NOW,
  );
  for (let n = 0; n < 5; n++) void previews.read(`lake.d${n}`);
  await expect(previews.read("lake.more")).rejects.toMatchObject({ code: "usage" });
  const none = new Previews(undefined, () => NOW);
  expect(none.canRead).toBe(false);
  await expect(none.read("lake.raw")).rejects.toMatchObject({ code: "usage" });
});
