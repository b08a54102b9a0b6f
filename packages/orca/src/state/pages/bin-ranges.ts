/** Where in a run steps of a state are to be looked for. */
import type { Bin, BinCounts } from "./run-bins.ts";

/** After every other key: no text that Postgres has comes later. */
export const LAST = "\u{10ffff}";

/** The bins of steps that have some, in order, until there are enough for a page. */
export function rangesOf(
  bins: readonly Bin[],
  counts: readonly BinCounts[],
  asked: { steps: readonly string[]; status: "failed" | "running"; low: string; high: string; limit: number },
): readonly (readonly string[])[] {
  const ranges = new Map<string, { low: string; high: string; steps: string[]; count: number }>();
  for (const count of counts) {
    const [low, high] = [bins[count.bin]!.first, bins[count.bin + 1]?.first ?? LAST];
    if (count[asked.status] === 0 || high <= asked.low || low > asked.high) continue;
    const range = ranges.get(low) ?? { low, high, steps: [], count: 0 };
    ranges.set(low, {
      ...range,
      steps: [...range.steps, count.step],
      count: Math.max(range.count, count[asked.status]),
    });
  }
  const some: (readonly [step: string, low: string, high: string])[] = [];
  let enough = asked.limit + 1;
  for (const range of [...ranges.values()].sort((a, b) => (a.low < b.low ? -1 : 1))) {
    if (enough <= 0) break;
    for (const step of range.steps) some.push([step, range.low, range.high]);
    if (range.low >= asked.low) enough -= range.count; // of the first, some may come before
  }
  return [some.map(([step]) => step), some.map(([, low]) => low), some.map(([, , high]) => high)];
}
