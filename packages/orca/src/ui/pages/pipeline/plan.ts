/** What a backfill would do: a dry run, with each of its first partitions. */
import type { DescribedPipeline } from "../../../core/described.ts";
import { queueBackfill } from "../../../state/backfills.ts";
import type { Database } from "../../../state/database.ts";
import { keysNamed, type KeyRow } from "../../../state/pages/key-facts.ts";
import { listKeys } from "../../../state/pages/key-list.ts";
import { readKeyRanges } from "../../../state/pages/key-ranges.ts";
import { countsOf, totalOf } from "../../../state/pages/key-states.ts";
import { keysAsked, type KeysAsked } from "./keys-asked.ts";

/** How many partitions there are of each kind. */
export interface Plan {
  readonly asked: number;
  /** In a run that is queued or going on already. */
  readonly live: number;
  readonly done: number;
  readonly queued: number;
  readonly runs: number;
  /** The first of those that are asked for. */
  readonly keys: readonly KeyRow[];
}

/** So many partitions are shown. */
const SHOWN = 50;

/** @throws OrcaError `invalid-key` */
export async function planBackfill(
  database: Database,
  description: DescribedPipeline,
  asked: KeysAsked,
  isRerun: boolean,
): Promise<Plan> {
  const { pipeline, partitions } = description;
  const isAll =
    partitions.kind === "keyed" && (asked.list === "@all" || (asked.list === undefined && asked.state !== undefined));
  if (isAll) return await planAll(database, description, asked, isRerun);
  const keys = await keysAsked(database, description, asked);
  const counts = await queueBackfill(database, {
    pipeline,
    keys,
    isRerun,
    asked: "",
    isReversed: false,
    maxRuns: undefined,
    actor: "",
    isDry: true,
  });
  return { ...counts, keys: await keysNamed(database, description, keys.slice(0, SHOWN)) };
}

/** Of many keys it is told by what was counted of them: looking each up takes a second. */
async function planAll(
  database: Database,
  description: DescribedPipeline,
  { list, state }: KeysAsked,
  isRerun: boolean,
): Promise<Plan> {
  const wanted = list === "@all" ? undefined : state;
  const [ranges, page] = await Promise.all([
    readKeyRanges(database, description.pipeline),
    listKeys(database, { description, state: wanted, begins: "", after: "", limit: SHOWN }),
  ]);
  const all = countsOf(
    ranges.flatMap((range) => range.groups),
    description,
  );
  const counts = wanted === undefined ? all : { [wanted]: all[wanted] ?? 0 };
  const [asked, live] = [totalOf(counts), (counts.running ?? 0) + (counts.queued ?? 0)];
  const done = isRerun ? 0 : (counts.done ?? 0);
  const queued = asked - live - done;
  return { asked, live, done, queued, runs: Math.ceil(queued / (description.keysPerRun ?? 1)), keys: page.keys };
}
