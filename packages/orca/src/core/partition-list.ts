/** A list of partitions as a person writes it: `2024-01..2024-03,2024-05`, or names. */
import { OrcaError } from "./errors.ts";
import { epochDay } from "./keys/civil.ts";
import { Day } from "./keys/day.ts";
import { Month } from "./keys/month.ts";
import { Name } from "./keys/name.ts";
import type { PartitionKey } from "./keys/partition-key.ts";
import type { Partitions } from "./partitions.ts";

/** The most partitions of one run: a status byte and a row are kept for each. */
export const PARTITIONS_MAX = 1_000_000;

/** Nothing is after them. */
const [LAST_MONTH, LAST_DAY] = [Month("9999-12"), Day("9999-12-31")];

/**
 * The partitions that a text lists, sorted, each once.
 *
 * @param text `KEY[..KEY][,…]` for months and days; names with commas between them for keys, which have no ranges.
 * @throws OrcaError `invalid-key` on what isn't a partition of the pipeline's, or on none.
 */
export function partitionsIn(pipeline: string, partitions: Partitions, text: string): readonly PartitionKey[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part === ""))
    throw invalid(`no partitions are given: write ${partitionsExample(partitions)}`);
  if (parts.includes("")) throw invalid(`'${text}' has an empty part: write partitions with one comma between them`);
  const keys = new Set<PartitionKey>();
  for (const part of parts) {
    for (const key of rangeOf(partitions, part)) keys.add(key);
    if (keys.size > PARTITIONS_MAX) throw tooMany();
  }
  return checkedPartitions(pipeline, partitions, keys);
}

/**
 * Partitions, each checked, sorted and once.
 *
 * @throws OrcaError `invalid-key` on what isn't a partition of the pipeline's, or on none.
 */
export function checkedPartitions(
  pipeline: string,
  partitions: Partitions,
  keys: Iterable<string>,
): readonly PartitionKey[] {
  const parse = keyParser(partitions);
  const sorted = [...new Set(Array.from(keys, parse))].sort();
  if (sorted.length > PARTITIONS_MAX) throw tooMany();
  if (sorted.length === 0) throw invalid(`no partitions are given: write ${partitionsExample(partitions)}`);
  if (partitions.kind !== "keyed" && sorted[0]! < partitions.start)
    throw invalid(`${sorted[0]} is before the first partition of '${pipeline}', ${partitions.start}`);
  return sorted;
}

/** Makes a text a key of these partitions. */
function keyParser(partitions: Partitions): (text: string) => PartitionKey {
  switch (partitions.kind) {
    case "monthly":
      return (text) => Month(text);
    case "daily":
      return (text) => Day(text);
    case "keyed":
      return (text) => Name(text);
    default:
      return partitions satisfies never;
  }
}

function rangeOf(partitions: Partitions, text: string): readonly PartitionKey[] {
  const parse = keyParser(partitions);
  if (partitions.kind === "keyed" && text.startsWith("@"))
    throw invalid(`'${text}' can't stand in a list: @all and @file:<path> are given alone`);
  if (!text.includes("..")) return [parse(text)];
  if (partitions.kind === "keyed")
    throw invalid(
      `'${text}' can't stand in a list: names have no ranges, and those with two dots are given by @file:<path>`,
    );
  const [first, last, ...more] = text.split("..").map((end) => end.trim());
  if (more.length > 0 || first === "" || last === "")
    throw invalid(`'${text}' isn't a range: write ${partitionsExample(partitions)}`);
  const ends = [parse(first!), parse(last!)] as const;
  if (ends[0] > ends[1]) throw invalid(`'${text}' is reversed: write ${ends[1]}..${ends[0]}`);
  // before they are made: a mistyped year is millions of days
  if (partitions.kind === "daily" && epochDay(ends[1]) - epochDay(ends[0]) >= PARTITIONS_MAX) throw tooMany();
  return partitions.kind === "monthly"
    ? Month.range(ends[0] as Month, ends[1] as Month)
    : Day.range(ends[0] as Day, ends[1] as Day);
}

function tooMany(): OrcaError {
  return invalid(`a run takes at most ${PARTITIONS_MAX} partitions`);
}

/** What to write, in a sentence. */
export function partitionsExample(partitions: Partitions): string {
  switch (partitions.kind) {
    case "monthly":
      return `months such as ${rangeExample(partitions.start, LAST_MONTH, Month.next)}`;
    case "daily":
      return `days such as ${rangeExample(partitions.start, LAST_DAY, Day.next)}`;
    case "keyed":
      return "names with commas between them, @all, or @file:<path>";
    default:
      return partitions satisfies never;
  }
}

function rangeExample<K extends PartitionKey>(start: K, last: K, next: (k: K) => K): string {
  return `${start} or ${start}..${start === last ? start : next(start)}`;
}

function invalid(message: string): OrcaError {
  return new OrcaError("invalid-key", message);
}
