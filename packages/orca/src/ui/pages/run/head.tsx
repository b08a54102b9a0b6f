/** The top of a run's page: how it stands and how far it is, what can be done with it, and what is known of it. */
import type { Child } from "hono/jsx";
import { attemptHref, backfillHref, hrefWith, pipelineHref, rebuildHref } from "../../look/addresses.ts";
import { Progress, type Part } from "../../drawings/share.tsx";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { Crumb, Facts, Head } from "../../look/section.tsx";
import { Chip, stateOf, STATE_WORDS } from "../../look/state.tsx";
import { num, plural, took } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { Two } from "../../look/two.tsx";
import { isDate, noteOf, partitionWords } from "../runs/words.ts";
import type { RunData } from "./data.ts";
import { RunActions } from "./actions.tsx";
import { Code } from "./code.tsx";
import { SnapshotLink } from "./records.tsx";

export function RunTop({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, counts, total } = data;
  const parts: readonly Part[] = [
    ["ok", counts.succeeded],
    ["failed", counts.failed],
    ["skipped", counts.skipped],
    ["cancelled", counts.cancelled],
    ["running", counts.running],
  ];
  const words = progressWords(data);
  return (
    <>
      <Crumb
        links={[
          ["Pipelines", "/"],
          [run.pipeline, pipelineHref(run.pipeline)],
          ["Runs", hrefWith("/runs", { pipeline: run.pipeline })],
        ]}
      />
      <Head
        title={`Run ${run.id}`}
        beside={
          <>
            <RunChip run={run} />
            <span class="dim2">{[words, noteWords(data, frame)].filter((part) => part !== "").join(". ")}</span>
          </>
        }
        actions={<RunActions run={run} frame={frame} />}
      />
      <div class="gap" id="progress" data-live>
        <Progress parts={parts} whole={total} label={words} />
      </div>
      <RunFacts data={data} frame={frame} />
    </>
  );
}

function RunChip({ run: { status } }: { readonly run: RunData["run"] }) {
  if (status === "stale") return <Chip name="warn">No heartbeat</Chip>;
  if (status === "stopped") return <Chip name="paused">Stopped</Chip>;
  const state = stateOf(status);
  return <Chip name={state}>{STATE_WORDS[state]}</Chip>;
}

/** `32 of 37 steps done, 1 failed, 1 running`. */
function progressWords({ counts, total }: RunData): string {
  const others = (["failed", "skipped", "cancelled", "running"] as const).filter((status) => counts[status] > 0);
  return [
    `${num(counts.succeeded)} of ${plural(total, "step")} done`,
    ...others.map((status) => `${num(counts[status])} ${status}`),
  ].join(", ");
}

/** What failed is told below. */
function noteWords({ run }: RunData, frame: Frame): string {
  return run.status === "failed" ? "" : noteOf(run, frame);
}

/** About how long it goes on, by how long what is done took; undefined where that says nothing. */
function leftMs({ run, counts, total }: RunData): number | undefined {
  const done = total - counts.running - counts.waiting - unreached({ counts, total });
  if (run.status !== "running" || run.tookMs === null || done === 0 || run.starts > 1) return undefined;
  return (run.tookMs * (total - done)) / done;
}

function unreached({ counts, total }: Pick<RunData, "counts" | "total">): number {
  return total - Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function RunFacts({ data, frame: { now } }: { readonly data: RunData; readonly frame: Frame }) {
  const { run } = data;
  const left = leftMs(data);
  const waited = run.startedAt === null ? 0 : run.startedAt.getTime() - run.createdAt.getTime();
  return (
    <Facts
      pairs={[
        ["Pipeline", <a href={pipelineHref(run.pipeline)}>{run.pipeline}</a>],
        ["Partitions", <Two first={<span class="mono">{partitionWords(run)}</span>} second={countWords(run)} />],
        ["Trigger", <Trigger run={run} now={now} />],
        run.startedAt === null
          ? ["Queued", <Time at={run.createdAt} now={now} />]
          : [
              "Started",
              <Two
                first={<Time at={run.startedAt} now={now} />}
                second={run.starts > 1 ? `started ${run.starts} times` : waited > 500 && `after ${took(waited)} queued`}
              />,
            ],
        run.tookMs === null || run.status === "queued"
          ? undefined
          : [
              run.endedAt === null ? "Elapsed" : "Took",
              <Two first={took(run.tookMs)} second={left !== undefined && `about ${took(left)} left`} />,
            ],
        ["Code", <Code run={run} />],
        run.heardAt === null || run.endedAt !== null || run.status === "queued"
          ? undefined
          : ["Heartbeat", <Time at={run.heardAt} now={now} />],
      ]}
    />
  );
}

function countWords({ partitions, first }: RunData["run"]): string | undefined {
  if (partitions === 1 || !isDate(first)) return undefined;
  return plural(partitions, first.length === "2024-01".length ? "month" : "day");
}

function Trigger({ run, now }: { readonly run: RunData["run"]; readonly now: Date }) {
  const by = run.askedBy !== null && `by ${run.askedBy}`;
  if (run.backfill !== null)
    return <Two first={<a href={backfillHref(run.backfill)}>backfill {run.backfill}</a>} second={by} />;
  if (run.rebuild !== null)
    return <Two first={<a href={rebuildHref(run.rebuild)}>rebuild {run.rebuild}</a>} second={by} />;
  if (run.trigger === "manual") return <Two first="by hand" second={run.askedBy} />;
  if (run.firedAt !== null)
    return (
      <Two
        first="schedule"
        second={
          <>
            of <Time at={run.firedAt} now={now} />
          </>
        }
      />
    );
  const [cause, ...others] = run.causes;
  if (cause === undefined) return <>{run.trigger}</>;
  return (
    <Two
      first={run.trigger}
      second={
        <>
          <span class="mono">
            <SnapshotLink dataset={cause.dataset} snapshot={cause.snapshot} />
          </span>
          {others.length > 0 && ` and ${others.length} more`}
        </>
      }
    />
  );
}

/** What went wrong, before anything else. */
export function WhatFailed({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, failed, counts } = data;
  return (
    <div id="failed" data-live>
      {run.error !== null && run.status === "failed" && (
        <Failure title="The run failed outside of its steps" error={run.error} />
      )}
      {failed.map((cell) => (
        <Failure
          title={`${cell.step} failed${cell.partition === null ? "" : ` for ${cell.partition}`}`}
          words={
            <>
              {cell.endedAt !== null && <Time at={cell.endedAt} now={frame.now} />}, in attempt {cell.attempts}.{" "}
              {consequence(data, cell.partition)}
            </>
          }
          error={cell.error}
          href={attemptHref(run.id, cell.step, cell.partition)}
        />
      ))}
      {counts.failed > failed.length && (
        <p class="note">
          <a href="#steps">{num(counts.failed - failed.length)} more failed</a>
        </p>
      )}
    </div>
  );
}

function Failure(given: {
  readonly title: string;
  readonly words?: Child;
  readonly error: string | null;
  readonly href?: string;
}) {
  return (
    <div class="say bad" role="group" aria-label="What failed">
      <Icon name="failed" class="g-failed" />
      <div>
        <b>{given.title}</b> <span class="dim2">{given.words}</span>
        {given.error !== null && (
          <pre tabindex={0} aria-label="Error">
            {given.error}
          </pre>
        )}
      </div>
      {given.href !== undefined && (
        <a class="btn" href={given.href} data-drawer>
          Open attempt
        </a>
      )}
    </div>
  );
}

/** What isn't done because of it. */
function consequence({ cells, run }: RunData, partition: string | null): string {
  const skipped = cells.filter((cell) => cell.status === "skipped" && cell.partition === partition);
  const gathers = cells.filter((cell) => cell.status === "skipped" && cell.partition === null && partition !== null);
  const names = [...skipped, ...gathers].map((cell) => cell.step);
  const parts = names.length === 0 ? "" : `${names.join(", ")} ${names.length === 1 ? "is" : "are"} skipped.`;
  return run.status === "running" ? `${parts} The run goes on, and will end failed.`.trim() : parts;
}
