/** How many of pipelines' keys are done: what takes time with how many there are whose state has changed. */
import type { DuePartitions } from "../../core/schedule/due-partitions.ts";
import type { Database } from "../database.ts";
import { datedGroups } from "./key-months.ts";
import { countKeyRanges, readKeyRanges } from "./key-ranges.ts";
import { countsOf, totalOf, type PresentCode } from "./key-states.ts";

/** What is counted. */
export interface KeysToCount {
  readonly pipeline: string;
  readonly code: PresentCode;
  /** The months or days that count; undefined for names, of which all do. */
  readonly due: DuePartitions | undefined;
}

export interface DoneKeys {
  /** Of names those that are known. */
  readonly due: number;
  /** Those that are done with the present code, by their last run if there was one. */
  readonly done: number;
}

/** At 120,000 keys that weren't counted before it takes some seconds; then little, until runs change them. */
export async function countDone(database: Database, { pipeline, code, due }: KeysToCount): Promise<DoneKeys> {
  while (await countKeyRanges(database, pipeline));
  if (due === undefined) {
    const ranges = await readKeyRanges(database, pipeline);
    const counts = countsOf(
      ranges.flatMap(({ groups }) => groups),
      code,
    );
    return { due: totalOf(counts), done: counts.done ?? 0 };
  }
  const { first, last, count } = due;
  const groups = await datedGroups(database, { pipeline, first, until: `${last}~`, by: "year" });
  return { due: count, done: countsOf(groups, code).done ?? 0 };
}
