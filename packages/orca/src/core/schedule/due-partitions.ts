/** Which months or days a pipeline should have by now. Loads Temporal: import it only where fires are made. */
import type { DescribedPipeline } from "../described.ts";
import { epochDay } from "../keys/civil.ts";
import { Day } from "../keys/day.ts";
import { Month } from "../keys/month.ts";
import type { PartitionKey } from "../keys/partition-key.ts";
import { partitionOfFire } from "./fire-partition.ts";
import { latestFire } from "./fires.ts";
import { partitionOfNow } from "./partition-of-now.ts";

/** From the first to the last, both included. */
export interface DuePartitions {
  readonly first: PartitionKey;
  readonly last: PartitionKey;
  readonly count: number;
}

/** No schedule is older. */
const EARLIEST = new Date("1900-01-01T00:00:00Z");

/**
 * Those from the start to the one that the newest fire fills, whether or not it was made; without a schedule, to the newest that is over, in UTC.
 * Undefined of names, which nothing says the number of, and before the first is due.
 */
export function duePartitions(
  { partitions, schedule, fills }: Pick<DescribedPipeline, "partitions" | "schedule" | "fills">,
  now: Date,
): DuePartitions | undefined {
  if (partitions.kind === "keyed") return undefined;
  const { kind, start } = partitions;
  let last: PartitionKey | undefined;
  if (schedule === null) {
    const current = partitionOfNow(kind, "current", null, now);
    last = kind === "daily" ? Day.previous(current as Day) : Month.previous(current as Month);
  } else {
    const fire = latestFire(schedule, EARLIEST, now);
    last = fire && partitionOfFire(kind, fills ?? "current", schedule, fire);
  }
  if (last === undefined || last < start) return undefined;
  return { first: start as PartitionKey, last, count: partitionsBetween(kind, start, last) };
}

/** How many there are, both included; 0 if the last is earlier. */
export function partitionsBetween(kind: "monthly" | "daily", first: string, last: string): number {
  const apart = kind === "daily" ? epochDay(Day(last)) - epochDay(Day(first)) : monthsOf(last) - monthsOf(first);
  return Math.max(0, apart + 1);
}

function monthsOf(text: string): number {
  const month = Month(text);
  return Month.year(month) * 12 + Month.month(month);
}
