import { expect, it } from "vitest";
import { Batches } from "./batches.ts";

/** Work whose batches are answered when they are told to be. */
function told() {
  const batches: (readonly number[])[] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const work = async (items: readonly number[]) => {
    batches.push(items);
    await new Promise<void>((resolve, reject) => void answers.push({ resolve, reject }));
    return items.map((n) => n * 10);
  };
  return { batches, answers, work };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("sends together what one turn of the event loop asks for, and then what came while it was busy", async () => {
  const { batches, answers, work } = told();
  const b = new Batches({ lanes: 1, size: 10 }, work);
  const first = [b.add(1), b.add(2)];
  await turn();
  const second = [b.add(3), b.add(4)];
  await turn();
  expect(batches).toEqual([[1, 2]]);
  answers[0]!.resolve();
  expect(await Promise.all(first)).toEqual([10, 20]);
  await turn();
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
  answers[1]!.resolve();
  expect(await Promise.all(second)).toEqual([30, 40]);
});

it("sends no more at once than its size, on as many lanes as it has, in order", async () => {
  const { batches, answers, work } = told();
  const b = new Batches({ lanes: 2, size: 2 }, work);
  const all = Promise.all([1, 2, 3, 4, 5].map((n) => b.add(n)));
  while (batches.length < 2) await turn();
  await turn();
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
  answers[1]!.resolve();
  while (batches.length < 3) await turn();
  expect(batches[2]).toEqual([5]);
  for (const { resolve } of answers) resolve();
  expect(await all).toEqual([10, 20, 30, 40, 50]);
});

it("fails all of a batch by its error, and goes on with the next", async () => {
  const { batches, answers, work } = told();
  const b = new Batches({ lanes: 1, size: 10 }, work);
  const failing = Promise.allSettled([b.add(1), b.add(2)]);
  await turn();
  answers[0]!.reject(new Error("no"));
  expect((await failing).map((r) => r.status)).toEqual(["rejected", "rejected"]);
  const next = b.add(3);
  while (batches.length < 2) await turn();
  answers[1]!.resolve();
  expect(await next).toBe(30);
});
