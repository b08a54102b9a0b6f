/** A pipeline's line in the list. */
import type { Child } from "hono/jsx";
import { pipelineHref } from "../../look/addresses.ts";
import { Meter } from "../../drawings/meter.tsx";
import { Strip } from "../../drawings/strip.tsx";
import { Name } from "../../look/name.tsx";
import { Mark, stateOf } from "../../look/state.tsx";
import { ago, atLeast, num, plural, took, until } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { units } from "../../look/units.ts";
import type { PipelineRow } from "./pipeline-rows.ts";
import { PIPELINE_STATE_WORDS } from "./pipeline-state.ts";

export function PipelineLine({ row, now }: { readonly row: PipelineRow; readonly now: Date }) {
  const { name, partitions, stepCount, state, live, queued } = row;
  const note = noteOf(row, now);
  return (
    <tr data-name={name} data-state={state}>
      <th scope="row" class="wide">
        <a class="lead" href={pipelineHref(name)}>
          <Name text={name} tail={10} />
        </a>
        <small>
          {partitions.kind}, {plural(stepCount, "step")}
          {row.hasTasks && ", tasks"}
        </small>
      </th>
      <td>
        <Mark name={state} label={PIPELINE_STATE_WORDS[state]} />
        {note !== undefined && <small>{note}</small>}
      </td>
      <td class="strip-c">
        <Strip
          runs={row.runs.map(({ status, tookMs }) => ({ state: stateOf(status), tookMs: tookMs ?? 0 })).toReversed()}
        />
      </td>
      <td data-l="Last run" class="w-last">
        <LastRun row={row} now={now} />
      </td>
      <td data-l="Next">
        <Next row={row} now={now} />
      </td>
      <td data-l="Done" class="n">
        <Done row={row} />
      </td>
      <td data-l="Lag" class="n">
        {row.lag === null ? <Dim>counting</Dim> : row.lag === 0 ? <Dim>none</Dim> : units(partitions.kind, row.lag)}
      </td>
      <td data-l="Live" class="n w-hide">
        {live.count === 0 ? <Dim>0</Dim> : atLeast(live)}
      </td>
      <td data-l="Queued" class="n w-hide">
        {queued.count === 0 ? <Dim>0</Dim> : atLeast(queued)}
      </td>
    </tr>
  );
}

/** Why it is in its state. */
function noteOf(row: PipelineRow, now: Date): string | undefined {
  const { partitions, failedKeys, live, queued, lag, due, done } = row;
  const failed =
    failedKeys.count === 0
      ? undefined
      : failedKeys.isMore
        ? `${atLeast(failedKeys)} ${partitions.kind === "keyed" ? "keys" : "partitions"} failed`
        : `${units(partitions.kind, failedKeys.count)} failed`;
  switch (row.state) {
    case "failing":
      if (row.lastEnd !== "failed") return "can't be asked what to do";
      return row.failedInARow > 1 ? `${plural(row.failedInARow, "run")} in a row` : "the last run";
    case "running":
      return [plural(live.count, "run"), failed].filter((one) => one !== undefined).join(", ");
    case "behind":
      if (queued.count > 0) return `${plural(queued.count, "run")} queued`;
      if (failed !== undefined) return failed;
      if (row.isSensor) return `waits for ${row.sensed[0] ?? "new data"}`;
      return row.schedule === null ? "started by hand" : `${units(partitions.kind, lag ?? 0)} not done`;
    case "paused":
      return `${row.pausedBy === null ? "" : `by ${row.pausedBy}, `}${ago(row.pausedAt!, now)}`;
    case "never":
      return `registered ${ago(row.registeredAt, now)}`;
    case "ok": {
      // of dates, those before the newest that is done
      const undone = (due ?? 0) - (done ?? due ?? 0);
      return undone > 0 ? `${units(partitions.kind, undone)} before not done` : undefined;
    }
    default:
      return row.state satisfies never;
  }
}

function LastRun({ row: { runs }, now }: { readonly row: PipelineRow; readonly now: Date }) {
  const last = runs.find((run) => run.startedAt !== null);
  if (last === undefined) return <Dim>none</Dim>;
  return (
    <>
      <Time at={last.startedAt!} now={now} />
      {last.tookMs !== null && (
        <small>{last.status === "running" ? `${took(last.tookMs)} so far` : `took ${took(last.tookMs)}`}</small>
      )}
    </>
  );
}

function Next({ row, now }: { readonly row: PipelineRow; readonly now: Date }) {
  const { nextStart, nextFireAt, sensed, isSensor, pausedAt } = row;
  if (pausedAt !== null) return <Line first={<Dim>none</Dim>} second="paused" />;
  if (nextStart !== null && nextStart.at > now)
    return (
      <Line
        first={<Time at={nextStart.at} now={now} words={until(nextStart.at, now)} />}
        second={`start ${nextStart.start} of ${nextStart.startsMax}`}
      />
    );
  if (nextFireAt !== null)
    return <Line first={<Time at={nextFireAt} now={now} words={until(nextFireAt, now)} />} second="schedule" />;
  if (isSensor)
    return (
      <Line
        first="on new data"
        second={`${sensed[0] ?? "no dataset"}${sensed.length > 1 ? ` and ${sensed.length - 1} more` : ""}`}
      />
    );
  return <Line first={<Dim>none</Dim>} second="by hand" />;
}

function Done({ row: { done, due } }: { readonly row: PipelineRow }) {
  if (done === null || due === null) return <Dim>counting</Dim>;
  return (
    <>
      {num(done)} of {num(due)}
      <Meter part={done} whole={due} />
    </>
  );
}

function Line({ first, second }: { readonly first: Child; readonly second: string }) {
  return (
    <>
      {first}
      <small>{second}</small>
    </>
  );
}

function Dim({ children }: { readonly children?: Child }) {
  return <span class="dim">{children}</span>;
}
