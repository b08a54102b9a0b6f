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
  readonly snapshot: Snapshot;
  readonly on: DatasetSnapshot;
}

/** What a walk is made of. */
export type Link = Made | MadeByOthers;

/** How many steps a walk goes at most. */
export const LINEAGE_STEPS = 20;

/** A link of a walk, and how many steps it is from the walk's beginning; of a snapshot that is walked from, how many its links are. */
export type Walked<T> = T & { readonly distance: number };

/** A direction to walk in. */
export interface Direction {
  /** What runs have made, from some snapshots on and as far as what they made leads. */
  readonly byRuns: (from: readonly Walked<DatasetSnapshot>[]) => Promise<readonly Walked<Made>[]>;
  /** How the walk goes on from snapshots by what others have made. */
  readonly byOthers: (from: readonly Walked<DatasetSnapshot>[]) => Promise<readonly Walked<MadeByOthers>[]>;
  /** Where a link leads. */
  readonly next: (link: Link) => readonly DatasetSnapshot[];
}

/** Walks from a snapshot to all that is linked to it; each link is found once, by the shortest way, and the nearest come first. */
export async function walk(
  start: DatasetSnapshot,
  { byRuns, byOthers, next }: Direction,
): Promise<readonly Walked<Link>[]> {
  const found = new Map<string, Walked<Link>>();
  const nearer = <T extends Link>(links: readonly Walked<T>[]) =>
    links.filter((link) => {
      const text = textOfSnapshot(link);
      return link.distance < (found.get(text)?.distance ?? Infinity) && found.set(text, link);
    });
  const after = (links: readonly Walked<Link>[]) =>
    links.flatMap((link) =>
      next(link)
        .map(({ dataset, snapshot }) => ({ dataset, snapshot, distance: link.distance + 1 }))
        .filter(isWalkedFrom),
    );
  for (let from: readonly Walked<DatasetSnapshot>[] = [{ ...start, distance: 0 }]; from.length > 0;) {
    const made = nearer(await byRuns(from));
    from = after(nearer(await byOthers([...from, ...after(made)])));
  }
  return [...found.values()].sort((a, b) => a.distance - b.distance);
}

function isWalkedFrom({ snapshot, distance }: Walked<DatasetSnapshot>): boolean {
  return snapshot !== undefined && distance < LINEAGE_STEPS;
}

/** `lake.raw@123`; `lake.raw@none` of a table that had no snapshot. */
export function textOfSnapshot({ dataset, snapshot }: DatasetSnapshot): string {
  return `${dataset}@${snapshot ?? "none"}`;
}
