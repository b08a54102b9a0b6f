/** A backfill: how far it is, when it ends, its partitions and its runs. */
import { Two } from "../look/two.tsx";
import { Pager } from "../look/pager.tsx";
import { backfillHref, hrefWith, pipelineHref } from "../look/addresses.ts";
import { Month } from "../../core/keys/month.ts";
import { backfillKeys, backfillProgress, readBackfill, type BackfillKey } from "../../state/pages/backfills.ts";
import { listRuns } from "../../state/pages/run-list.ts";
import { DayCalendar, MonthCalendar } from "../drawings/calendar.tsx";
import { Progress } from "../drawings/share.tsx";
import { Ask, AskDialog } from "../look/ask.tsx";
import { Name } from "../look/name.tsx";
import { Crumb, Facts, Head, Section } from "../look/section.tsx";
import { Chip, StateMark, STATE_WORDS, stateOf } from "../look/state.tsx";
import { f2, num, plural, took } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { units } from "../look/units.ts";
import { idFrom } from "../query.ts";
import { view } from "../view.ts";
import { estimateOf, ProgressSection } from "./backfill/progress.tsx";
import { backfillState, isGoingOn } from "./backfill/state.tsx";
import { RunTable } from "./runs/table.tsx";

const [RUNS, POINTS, KEYS] = [20, 60, 800];

export const backfillView = view({
  path: "/backfills/:backfill",
  async read({ database, part, query, now, staleMs }) {
    const id = idFrom(part("backfill"), "backfill");
    const backfill = await readBackfill(database, id);
    const isDated = backfill.kind !== "keyed" && backfill.keysQueued <= KEYS;
    const [progress, keys, runs] = await Promise.all([
      backfillProgress(database, id, POINTS),
      isDated ? backfillKeys(database, id, KEYS) : null,
      listRuns(database, {
        states: ["queued", "running", "succeeded", "failed", "cancelled"],
        backfill: id,
        before: query.id("before"),
        limit: RUNS,
        now: now(),
        staleMs,
      }),
    ]);
    return { ...backfill, progress, keys, list: runs.runs, before: runs.before };
  },
  show(data, frame) {
    const { id, pipeline, done, failed, running, cancelled, keysAsked, keysQueued, isMore } = data;
    const kind = data.kind ?? "keyed";
    const isLive = isGoingOn(data);
    const estimate = estimateOf(data.progress, keysQueued - done - failed - cancelled);
    const state = backfillState(data);
    return {
      title: `Backfill ${id}`,
      at: "Backfills",
      live: isLive ? { topics: ["run:*", "queue:*"], words: "Live: changes arrive as they happen" } : undefined,
      main: (
        <>
          <Crumb links={[["Backfills", "/backfills"]]} />
          <Head
            title={`Backfill ${id}`}
            beside={
              <>
                <Chip name={state}>{STATE_WORDS[state]}</Chip>
                <span class="dim2">
                  {num(done)}
                  {isMore && "+"} of {units(kind, keysQueued)} done{failed > 0 && `, ${num(failed)} failed`}
                  {isLive && estimate.leftMs !== undefined && `, about ${took(estimate.leftMs)} left`}
                </span>
              </>
            }
            actions={
              frame.mayAct && (
                <>
                  {failed + cancelled > 0 && (
                    <a
                      class="btn"
                      href={hrefWith(pipelineHref(pipeline, "backfill"), { keys: data.asked })}
                      data-confirm
                    >
                      Backfill what is not done
                    </a>
                  )}
                  {isLive && <Ask action={backfillHref(id, "cancel")} dialog="cancel" label="Cancel backfill" />}
                </>
              )
            }
          />
          <div class="gap" id="bar" data-live>
            <Progress
              parts={[
                ["ok", done],
                ["failed", failed],
                ["running", running],
              ]}
              whole={keysQueued}
              label={`${num(done)} of ${num(keysQueued)} done`}
            />
          </div>
          <Facts
            pairs={[
              ["Pipeline", <a href={pipelineHref(pipeline)}>{pipeline}</a>],
              [
                "Asked for",
                <>
                  <span class="mono">
                    <Name text={data.asked.slice(0, 60)} tail={12} />
                  </span>
                  <br />
                  <small class="mono">{optionWords(data)}</small>
                </>,
              ],
              ["By", <Two first={data.askedBy} second={<Time at={data.createdAt} now={frame.now} />} />],
              ["Runs", `${plural(data.runs, "run")}${isMore ? " and more" : ""}`],
              isLive ? ["Rate", `${f2(estimate.rate)} a minute`] : undefined,
              [
                "Not queued",
                keysAsked === keysQueued ? "None" : `${units(kind, keysAsked - keysQueued)}: done, or in other runs`,
              ],
            ]}
          />
          <ProgressSection points={data.progress} whole={keysQueued} estimate={estimate} isLive={isLive} />
          {data.keys !== null && data.keys.length > 0 && <KeysSection keys={data.keys} kind={kind} />}
          <Section id="runs" title="Runs">
            <RunTable runs={data.list} frame={frame} />
            {data.before !== null && (
              <Pager label="Older" href={hrefWith(backfillHref(id), { before: data.before }, "#runs")}>
                The newest first
              </Pager>
            )}
          </Section>
          <AskDialog
            id="cancel"
            title={`Cancel backfill ${id}?`}
            action={backfillHref(id, "cancel")}
            keep="Let it go on"
            act="Cancel backfill"
          >
            <p>
              Its queued runs won't start, and those that are running are asked to stop. What is done stays done; a
              backfill of the same partitions does the rest.
            </p>
          </AskDialog>
        </>
      ),
    };
  },
});

function optionWords(data: {
  readonly isRerun: boolean;
  readonly isReversed: boolean;
  readonly maxRuns: number | null;
}) {
  return [
    data.isRerun ? "--rerun" : undefined,
    data.isReversed ? "--reverse" : undefined,
    data.maxRuns === null ? undefined : `--max-runs ${data.maxRuns}`,
  ]
    .filter((option) => option !== undefined)
    .join(" ");
}

function KeysSection({ keys, kind }: { readonly keys: readonly BackfillKey[]; readonly kind: string }) {
  const cells = new Map(keys.map(({ key, status, run }) => [key, { state: stateOf(status), say: undefined, run }]));
  const first = keys.findLast(({ status }) => status === "failed") ?? keys[0]!;
  const grid = { id: "cells", cells, selected: new Set<string>(), focus: first.key };
  return (
    <Section id="partitions" title="Partitions">
      <p class="readout" data-readout="">
        <b>{first.key}</b>
        <StateMark state={stateOf(first.status)} />
        <span>run {first.run}</span>
      </p>
      {kind === "daily" ? (
        <DayCalendar grid={grid} months={[...new Set(keys.map(({ key }) => Month(key.slice(0, 7))))]} />
      ) : (
        <MonthCalendar grid={grid} years={[...new Set(keys.map(({ key }) => Number(key.slice(0, 4))))]} />
      )}
    </Section>
  );
}
