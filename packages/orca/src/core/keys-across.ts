/** The partitions of a pipeline that others' partitions are about: a day is about the month that has it, and a month about each of its days. */
import { Day } from "./keys/day.ts";
import { Month } from "./keys/month.ts";
import { Name } from "./keys/name.ts";
import type { PartitionKey } from "./keys/partition-key.ts";
import { daily, keyed, monthly, type Partitions } from "./partitions.ts";

/** Which partitions a pipeline has, as `describe` says. */
export type DescribedPartitions =
  | { readonly kind: "monthly" | "daily"; readonly start: string }
  | { readonly kind: "keyed"; readonly dataset: string; readonly column: string };

/**
 * Sorted, each once, and none before the pipeline's first.
 *
 * @param keys of any kind. Those that are about no partition of the pipeline are left out: a name is about no day, and a day is a name too.
 */
export function keysAcross(keys: Iterable<string>, partitions: DescribedPartitions): readonly PartitionKey[] {
  const found = new Set<PartitionKey>();
  for (const key of keys) for (const about of aboutKey(key, partitions.kind)) found.add(about);
  const sorted = [...found].toSorted();
  return partitions.kind === "keyed" ? sorted : sorted.filter((key) => key >= partitions.start);
}

function aboutKey(key: string, kind: DescribedPartitions["kind"]): readonly PartitionKey[] {
  switch (kind) {
    case "monthly":
      return Month.is(key) ? [key] : Day.is(key) ? [Day.month(key)] : [];
    case "daily":
      return Day.is(key) ? [key] : Month.is(key) ? Month.days(key) : [];
    case "keyed":
      return Name.is(key) ? [key] : [];
    default:
      return kind satisfies never;
  }
}

/** As a pipeline's file declares them. */
export function partitionsOf(described: DescribedPartitions): Partitions {
  if (described.kind === "keyed") return keyed(described.dataset as "a.b", described.column);
  return described.kind === "daily" ? daily(described.start as "2024-01-31") : monthly(described.start as "2024-01");
}
