/** How busy a step of very many partitions was, from the run's start to its end. */
import type { BinCounts } from "../../../state/pages/run-bins.ts";

/** How finely it is drawn. */
const BUSY = 200;

/**
 * Shares of what went on most at once. Of each bin it is known when its steps began and ended, and how long they took together: they are taken
 * to be spread evenly over that.
 */
export function busyShares(
  counts: readonly Pick<BinCounts, "startedAt" | "endedAt" | "tookMs">[],
  from: Date,
  to: Date,
): readonly number[] {
  const width = Math.max(1, to.getTime() - from.getTime()) / BUSY;
  const busy = Array.from({ length: BUSY }, () => 0);
  for (const { startedAt, endedAt, tookMs } of counts) {
    if (startedAt === null) continue;
    const [first, last] = [startedAt, endedAt ?? to].map((at) => (at.getTime() - from.getTime()) / width) as [
      number,
      number,
    ];
    const each = tookMs / Math.max(0.001, last - first);
    for (let i = Math.max(0, Math.floor(first)); i < Math.min(BUSY, last); i++)
      busy[i]! += each * (Math.min(last, i + 1) - Math.max(first, i));
  }
  const most = Math.max(...busy);
  return busy.map((ms) => (most === 0 ? 0 : Math.round((100 * ms) / most) / 100));
}
