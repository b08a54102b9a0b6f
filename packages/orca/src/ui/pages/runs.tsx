/** All runs: how many there are of each state, the last 7 days, and a list to filter. */
import { Pager } from "../look/pager.tsx";
import type { RunCounts } from "../../state/pages/run-counts.ts";
import { countEnded, countRuns } from "../../state/pages/run-counts.ts";
import { listRuns, type ListedState } from "../../state/pages/run-list.ts";
import { pipelineNames } from "../../state/pages/pipeline-names.ts";
import { EndedStrip } from "../drawings/ended-strip.tsx";
import { Icon } from "../look/icon.tsx";
import { Head } from "../look/section.tsx";
import { stateOf, STATE_WORDS } from "../look/state.tsx";
import { atLeast, plural } from "../look/text.ts";
import { view } from "../view.ts";
import { filterOf, RunFilter, type Filter } from "./runs/filter.tsx";
import { RunTable } from "./runs/table.tsx";

const PAGE = 50;
/** So many queued runs are listed before the others: all of them are, asked for by their state. */
const QUEUED = 10;
const REST: readonly ListedState[] = ["running", "failed", "succeeded", "cancelled"];

export const runsView = view({
  path: "/runs",
  async read({ database, query, now, staleMs }) {
    const filter = filterOf(query);
    const before = query.id("before");
    const asked = { ...filter.runs, before, now: now(), staleMs };
    const isFirst = filter.state === undefined && before === undefined;
    const [counts, ended, pipelines, queued, rest] = await Promise.all([
      countRuns(database),
      countEnded(database, now()),
      pipelineNames(database),
      isFirst ? listRuns(database, { ...asked, states: ["queued"], limit: QUEUED }) : undefined,
      listRuns(database, { ...asked, states: filter.state === undefined ? REST : [filter.state], limit: PAGE }),
    ]);
    return {
      counts,
      ended,
      pipelines,
      /** Those before all others; null on later pages, and where a state is asked for. */
      queued: queued?.runs ?? null,
      hasMoreQueued: queued !== undefined && queued.before !== null,
      runs: rest.runs,
      before: rest.before,
    };
  },
  show({ counts, ended, pipelines, queued, hasMoreQueued, runs, before }, frame, { query }) {
    const filter = filterOf(query);
    const isOnward = query.id("before") !== undefined;
    return {
      title: "Runs",
      at: "Runs",
      live: isOnward ? undefined : { topics: ["run:*", "queue:*"], words: "Live: changes arrive as they happen" },
      main: (
        <>
          <Head title="Runs" beside={<Counts counts={counts} filter={filter} />} />
          <div class="gap" id="week" data-live>
            <EndedStrip ended={ended} />
          </div>
          <RunFilter filter={filter} pipelines={pipelines} />
          <div id="list" data-live>
            <RunTable runs={[...(queued ?? []), ...runs]} frame={frame} />
            {hasMoreQueued && (
              <p class="pager">
                <span>Of those that are queued, the first {QUEUED}.</span>
                <a class="btn bare" href={filter.href({ state: "queued" })}>
                  All queued
                </a>
              </p>
            )}
            <Pager label="Older" href={before === null ? undefined : filter.href({ before: String(before) })}>
              {pagerWords((queued?.length ?? 0) + runs.length, counts, filter, before)}
            </Pager>
          </div>
        </>
      ),
    };
  },
});

function pagerWords(shown: number, counts: RunCounts, filter: Filter, before: number | null): string {
  if (!filter.isSet) return `${shown} of ${atLeast(counts.all)}`;
  if (before === null) return shown === 0 ? "No run is like that" : plural(shown, "run");
  return shown === 0 ? `None since run ${before}; there are older ones` : `${plural(shown, "run")} so far`;
}

const COUNTED = ["running", "queued", "failed", "succeeded", "cancelled"] as const;

function Counts({ counts, filter }: { readonly counts: RunCounts; readonly filter: Filter }) {
  return (
    <nav class="counts" aria-label="Filter by state">
      <a href={filter.href({ state: undefined })} aria-current={filter.state === undefined ? "true" : undefined}>
        <b>{atLeast(counts.all)}</b> all
      </a>
      {COUNTED.map((status) => {
        const state = stateOf(status);
        return (
          <a
            href={filter.href({ state: status })}
            class={`st-${state}`}
            aria-current={filter.state === status ? "true" : undefined}
          >
            <Icon name={state} />
            <b>{atLeast(counts[status])}</b> {STATE_WORDS[state].toLowerCase()}
          </a>
        );
      })}
    </nav>
  );
}
