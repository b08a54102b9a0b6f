/** The keys of a pipeline: how many are in which state along their names, and a list of them. */
import type { DescribedPipeline } from "../../../core/described.ts";
import type { Database } from "../../../state/database.ts";
import { listKeys, type KeyPage } from "../../../state/pages/key-list.ts";
import { readKeyRanges, type KeyRange } from "../../../state/pages/key-ranges.ts";
import { addCounts, countsOf, type KeyCounts, type KeyGroup, type KeyState } from "../../../state/pages/key-states.ts";
import { countMeanwhile } from "./count-meanwhile.ts";

/** Keys that lie beside each other. */
export interface KeyBin {
  /** How the first is named, so far as it is told by. */
  readonly first: string;
  readonly counts: KeyCounts;
}

export interface KeyedKeys {
  readonly bins: readonly KeyBin[];
  readonly counts: KeyCounts;
  /** Whether nothing has changed since they were counted. */
  readonly isCounted: boolean;
  readonly begins: string;
  readonly state: KeyState | null;
}

export interface KeyedAsked {
  readonly description: DescribedPipeline;
  readonly step: string | undefined;
  readonly state: KeyState | undefined;
  readonly begins: string;
  /** Only those that don't come earlier, and those that come later. */
  readonly from: string;
  readonly after: string;
}

/** Of 120,000 keys there are 200 ranges, or some more. */
const BINS = 250;
const PAGE = 20;

export async function readKeyedKeys(
  database: Database,
  { description, step, state, begins, from, after }: KeyedAsked,
): Promise<{ readonly keyed: KeyedKeys; readonly groups: readonly KeyGroup[]; readonly list: KeyPage }> {
  const [ranges, list] = await Promise.all([
    countMeanwhile(database, description.pipeline).then(() => readKeyRanges(database, description.pipeline)),
    listKeys(database, { description, state, begins, from, after, limit: PAGE }),
  ]);
  const bins = binsOf(ranges).map(({ first, groups }) => ({ first, counts: countsOf(groups, description, step) }));
  return {
    keyed: {
      bins,
      counts: addCounts(bins.map((bin) => bin.counts)),
      isCounted: ranges.every((range) => range.isCounted),
      begins,
      state: state ?? null,
    },
    groups: ranges.flatMap((range) => range.groups),
    list,
  };
}

/** As many ranges beside each other as there is room for. */
function binsOf(ranges: readonly KeyRange[]): readonly Pick<KeyRange, "first" | "groups">[] {
  const each = Math.max(1, Math.ceil(ranges.length / BINS));
  return Array.from({ length: Math.ceil(ranges.length / each) }, (_, place) => {
    const some = ranges.slice(place * each, (place + 1) * each);
    return { first: some[0]!.first, groups: some.flatMap((range) => range.groups) };
  });
}
