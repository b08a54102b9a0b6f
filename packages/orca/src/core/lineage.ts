/** Lineage: what snapshots were made of, and what was made of them. */
import type { Snapshot } from "./ctx.ts";

/** A snapshot of a dataset; of none if it had none. */
export interface DatasetSnapshot {
  readonly dataset: string;
  readonly snapshot: Snapshot | undefined;
}

/** The attempt that made a snapshot. */
export interface Maker {
  readonly pipeline: string;
  readonly run: number;
  readonly step: string;
  /** Empty for a gather step. */
  readonly partition: string;
  readonly attempt: number;
  /** The hash of the step's code. */
  readonly code: string;
  /** Where the code is, as far as the build knew. */
  readonly repository: string | null;
  readonly commit: string | null;
}

/** A snapshot that a run of Orca's made. */
export interface Made extends DatasetSnapshot {
  readonly snapshot: Snapshot;
  readonly by: Maker;
  readonly from: readonly DatasetSnapshot[];
}

/** A snapshot that another writer made on one that Orca's made. */
export interface MadeByOthers extends DatasetSnapshot {
  readonly on: DatasetSnapshot;
}

/** How many steps a walk goes at most. */
export const LINEAGE_STEPS = 20;

/** A link of a walk, and how many steps it is from the walk's beginning. */
export type Walked<T> = T & { readonly distance: number };

/**
 * Walks from snapshots, a step at a time, to all that is linked to them; each link is walked once.
 *
 * @param linksOf the links of some snapshots.
 * @param next where a link leads.
 */
export async function walk<T extends DatasetSnapshot>(
  from: readonly DatasetSnapshot[],
  linksOf: (snapshots: readonly DatasetSnapshot[]) => Promise<readonly T[]>,
  next: (link: T) => readonly DatasetSnapshot[],
): Promise<readonly Walked<T>[]> {
  const walked: Walked<T>[] = [];
  const seen = new Set<string>(from.map(textOfSnapshot));
  let level: readonly DatasetSnapshot[] = from;
  for (let distance = 0; distance < LINEAGE_STEPS && level.length > 0; distance++) {
    const links = await linksOf(level);
    walked.push(...links.map((link) => ({ ...link, distance })));
    level = links.flatMap(next).filter((found) => {
      const text = textOfSnapshot(found);
      return found.snapshot !== undefined && !seen.has(text) && seen.add(text);
    });
  }
  return walked;
}

/** `lake.raw@123`; `lake.raw@none` of a table that had no snapshot. */
export function textOfSnapshot({ dataset, snapshot }: DatasetSnapshot): string {
  return `${dataset}@${snapshot ?? "none"}`;
}
