/** What is shown of a pipeline. */
import type { DescribedPipeline } from "../../../core/described.ts";
import { partitionOfFire } from "../../../core/schedule/fire-partition.ts";
import { fires } from "../../../core/schedule/fires.ts";
import type { KeyPage } from "../../../state/pages/key-list.ts";
import type { KeyCounts, KeyGroup } from "../../../state/pages/key-states.ts";
import { addCounts, countsOf, KEY_STATES, mappedSteps, totalOf } from "../../../state/pages/key-states.ts";
import { lastGathers, readPipelineHead, readSeen, readVersions } from "../../../state/pages/pipeline.ts";
import { listRuns } from "../../../state/pages/run-list.ts";
import type { Asked } from "../../view.ts";
import { readDatedKeys, type DatedKeys } from "./dated.ts";
import { readKeyedKeys, type KeyedKeys } from "./keyed.ts";

export type PipelineData = Awaited<ReturnType<typeof readPipeline>>;

const [RUNS, VERSIONS, SEEN, FIRES] = [8, 8, 8, 5];

export async function readPipeline(asked: Asked) {
  const { database, query, part, staleMs } = asked;
  const name = part("name");
  const now = asked.now();
  const { description, commit, repository, dirty, ...standing } = await readPipelineHead(database, name);
  const locations = description.source?.locations;
  const step = query.oneOf("step", mappedSteps(description));
  const [keys, runs, versions, seen, gathers] = await Promise.all([
    readKeys(asked, description, { step, hasFailed: standing.failed > 0 }),
    listRuns(database, {
      states: ["queued", "running", "succeeded", "failed", "cancelled"],
      pipeline: name,
      limit: RUNS,
      now,
      staleMs,
    }),
    readVersions(database, name, VERSIONS),
    description.sensor ? readSeen(database, name, SEEN) : undefined,
    lastGathers(database, name),
  ]);
  const { partitions, schedule, fills, catchup, keysPerRun, sensor, maxRuns, runRetries, hash } = description;
  return {
    name,
    partitions,
    schedule,
    fills,
    catchup,
    keysPerRun,
    sensor,
    maxRuns,
    runRetries,
    ...standing,
    /** With where the pipeline itself is declared, if that is known. */
    code: { hash, commit, repository, dirty, at: locations?.pipeline ?? null },
    tasks: Object.entries(locations?.tasks ?? {}).map(([of, at]) => ({ name: of, at })),
    steps: description.steps.map(({ name: of, kind, after, reads, writes }) => ({
      name: of,
      at: locations?.steps[of] ?? null,
      kind,
      after,
      reads,
      writes,
      counts: kind === "mapped" ? stepCounts(keys.groups, description, of, keys.total) : null,
      lastGatheredIn: gathers.get(of) ?? null,
    })),
    /** How many there are: that are due, or of names that are known. */
    total: keys.total,
    counts: keys.counts,
    /** The step whose states the partitions are shown by. */
    step: step ?? null,
    dated: keys.dated,
    keyed: keys.keyed,
    keyList: keys.list,
    runs: runs.runs,
    versions,
    fires: nextFires(description, now),
    seen: seen ?? null,
  };
}

interface Keys {
  readonly groups: readonly KeyGroup[];
  readonly counts: KeyCounts;
  readonly total: number;
  readonly dated: DatedKeys | null;
  readonly keyed: KeyedKeys | null;
  readonly list: KeyPage | null;
}

async function readKeys(
  asked: Asked,
  description: DescribedPipeline,
  { step, hasFailed }: { readonly step: string | undefined; readonly hasFailed: boolean },
): Promise<Keys> {
  const { database, query } = asked;
  if (description.partitions.kind === "keyed") {
    const state = query.oneOf("state", ["any", ...KEY_STATES]);
    const isAsked = [state, query.text("begins"), query.text("from"), query.text("after")].some(
      (one) => one !== undefined,
    );
    const { keyed, groups, list } = await readKeyedKeys(database, {
      description,
      step,
      // what needs someone, unless something is asked for
      state: state === "any" ? undefined : (state ?? (hasFailed && !isAsked ? "failed" : undefined)),
      begins: query.text("begins") ?? "",
      from: query.text("from") ?? "",
      after: query.text("after") ?? "",
    });
    return { groups, counts: keyed.counts, total: totalOf(keyed.counts), dated: null, keyed, list };
  }
  const year = query.year("year");
  const { dated, groups } = await readDatedKeys(database, { description, now: asked.now(), year, step });
  return { groups, counts: dated.counts, total: dated.due?.count ?? 0, dated, keyed: null, list: null };
}

/** What isn't known of any step is missing of each. */
function stepCounts(
  groups: readonly KeyGroup[],
  description: DescribedPipeline,
  step: string,
  total: number,
): KeyCounts {
  const counts = countsOf(groups, description, step);
  const rest = total - totalOf(counts);
  return rest > 0 ? addCounts([counts, { missing: rest }]) : counts;
}

/** When it is due next, and for which partition. */
function nextFires({ schedule, partitions, fills }: DescribedPipeline, now: Date) {
  if (schedule === null) return [];
  return fires(schedule, now, FIRES).map((at) => ({
    at,
    partition: partitions.kind === "keyed" ? null : partitionOfFire(partitions.kind, fills ?? "current", schedule, at),
  }));
}
