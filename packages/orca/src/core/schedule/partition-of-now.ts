import { Day } from "../keys/day.ts";
import type { PartitionKey } from "../keys/partition-key.ts";
import type { Month } from "../keys/month.ts";
import { partitionOfFire } from "./fire-partition.ts";
import type { Schedule } from "./schedule.ts";

/** The partition that a pipeline would fill at an instant: by its schedule, or, if it has none, the one that the instant falls in, in UTC. */
export function partitionOfNow(
  kind: "monthly" | "daily",
  fills: "current" | "previous",
  schedule: Schedule | null,
  now: Date,
): PartitionKey {
  const byClock = schedule === null ? undefined : partitionOfFire(kind, fills, schedule, now);
  const day = now.toISOString().slice(0, "2024-01-31".length);
  return byClock ?? ((kind === "daily" ? Day(day) : Day.month(Day(day))) satisfies Day | Month);
}
