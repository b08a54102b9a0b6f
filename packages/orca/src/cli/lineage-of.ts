/** The lineage of a snapshot: by what is on record and, where others have changed a table, by the table's own history. */
import type { Snapshot } from "../core/ctx.ts";
import {
  type DatasetSnapshot,
  type Link,
  type MadeByOthers,
  textOfSnapshot,
  walk,
  type Walked,
} from "../core/lineage.ts";
import type { Database } from "../state/database.ts";
import { locationOf, madeByRuns, readOfOthers, walkBack, walkForward } from "../state/lineage.ts";

export interface Lineage {
  readonly madeFrom: readonly Walked<Link>[];
  readonly madeOfIt: readonly Walked<Link>[];
}

/** Both walks. A table is read only where runs have read what others made of it, and once. */
export async function lineageOf(database: Database, start: DatasetSnapshot): Promise<Lineage> {
  const histories = new Map<string, Promise<History>>();
  const historyOf = (dataset: string) => {
    const history = histories.get(dataset) ?? readHistory(database, dataset);
    histories.set(dataset, history);
    return history;
  };
  return { madeFrom: await back(database, start, historyOf), madeOfIt: await forward(database, start, historyOf) };
}

interface History {
  readonly parents: ReadonlyMap<Snapshot, Snapshot | undefined>;
  /** Those that runs have made. */
  readonly made: ReadonlySet<Snapshot>;
}

type HistoryOf = (dataset: string) => Promise<History>;

async function readHistory(database: Database, dataset: string): Promise<History> {
  const location = await locationOf(database, dataset);
  if (location === undefined) return { parents: new Map(), made: new Set() };
  const { parentsOf } = await import("../tables/warehouse/parents.ts");
  const parents = await parentsOf(location);
  return { parents, made: await madeByRuns(database, dataset, parents.keys()) };
}

/** From a snapshot that another made it goes on at the nearest before it that a run has made. */
async function back(database: Database, start: DatasetSnapshot, historyOf: HistoryOf): Promise<Lineage["madeFrom"]> {
  const made = new Set<string>();
  return await walk(start, {
    byRuns: async (from) => {
      const links = await walkBack(database, from);
      for (const link of links) made.add(textOfSnapshot(link));
      return links;
    },
    byOthers: async (from) => {
      const others = from.filter((one) => !made.has(textOfSnapshot(one)));
      return await linksOf(others, async ({ dataset, snapshot, distance }) => {
        const history = await historyOf(dataset);
        const on =
          snapshot === undefined ? undefined : nearestBefore(snapshot, history, (one) => history.made.has(one));
        return on === undefined ? undefined : { dataset, snapshot: snapshot!, distance, on: { dataset, snapshot: on } };
      });
    },
    next: (link) => ("by" in link ? link.from : [link.on]),
  });
}

/** It goes on from a snapshot also at those that others made on it, before a run made another, and that runs have read. */
async function forward(database: Database, start: DatasetSnapshot, historyOf: HistoryOf): Promise<Lineage["madeOfIt"]> {
  return await walk(start, {
    byRuns: (from) => walkForward(database, from),
    byOthers: async (from) => {
      const read = await readOfOthers(database, [...new Set(from.map(({ dataset }) => dataset))]);
      if (read.length === 0) return [];
      const distances = new Map<string, number>();
      for (const one of from.toSorted((a, b) => b.distance - a.distance))
        distances.set(textOfSnapshot(one), one.distance);
      return await linksOf(read, async ({ dataset, snapshot }) => {
        const history = await historyOf(dataset);
        const distanceOf = (one: Snapshot) => distances.get(textOfSnapshot({ dataset, snapshot: one }));
        const on = nearestBefore(snapshot, history, (one) => history.made.has(one) || distanceOf(one) !== undefined);
        const distance = on === undefined ? undefined : distanceOf(on);
        return distance === undefined ? undefined : { dataset, snapshot, distance, on: { dataset, snapshot: on } };
      });
    },
    next: (link) => [link],
  });
}

async function linksOf<T>(
  snapshots: readonly T[],
  linkOf: (snapshot: T) => Promise<Walked<MadeByOthers> | undefined>,
): Promise<readonly Walked<MadeByOthers>[]> {
  return (await Promise.all(snapshots.map(linkOf))).filter((link) => link !== undefined);
}

function nearestBefore(
  snapshot: Snapshot,
  { parents }: History,
  isOne: (snapshot: Snapshot) => boolean,
): Snapshot | undefined {
  let on = parents.get(snapshot);
  for (let n = 0; on !== undefined && !isOne(on) && n < parents.size; n++) on = parents.get(on);
  return on !== undefined && isOne(on) ? on : undefined;
}
