/** Runs as rows of a table. */
import { pipelineHref, runHref } from "../../look/addresses.ts";
import type { RunLine } from "../../../state/pages/run-line.ts";
import type { Frame } from "../../look/frame.ts";
import { Name } from "../../look/name.tsx";
import { Mark, StateMark, stateOf } from "../../look/state.tsx";
import { took } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { codeWords, noteOf, partitionWords, triggerWords } from "./words.ts";

export function RunTable({ runs, frame }: { readonly runs: readonly RunLine[]; readonly frame: Frame }) {
  return (
    <table class="tbl cards runs fixed-runs" data-list>
      <thead>
        <tr>
          {COLUMNS.map(([name, classes]) => (
            <th scope="col" class={classes}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow run={run} frame={frame} />
        ))}
      </tbody>
    </table>
  );
}

const COLUMNS: readonly (readonly [name: string, classes?: string])[] = [
  ["Run", "c-id"],
  ["State", "c-st"],
  ["Pipeline", "c-pl"],
  ["Partitions", "c-pt"],
  ["Trigger", "c-tr"],
  ["Started", "c-at"],
  ["Took", "n c-tk"],
  ["Code", "c-cd"],
  ["Note"],
];

/** @param isOfOne whether all are of one pipeline: then it isn't named, and there is no note. */
export function RunRow(given: { readonly run: RunLine; readonly frame: Frame; readonly isOfOne?: boolean }) {
  const { run, frame, isOfOne = false } = given;
  return (
    <tr>
      <th scope="row" class="a-id">
        <a class="lead" href={runHref(run.id)}>
          {run.id}
        </a>
      </th>
      <td class="a-st">
        <RunMark run={run} />
      </td>
      {!isOfOne && (
        <td class="a-pl">
          <a href={pipelineHref(run.pipeline)}>
            <Name text={run.pipeline} />
          </a>
        </td>
      )}
      <td class="mono a-pt">
        <Name text={partitionWords(run)} />
      </td>
      <td class="a-tr">{triggerWords(run)}</td>
      <td class="a-at">
        <Time at={run.startedAt ?? run.createdAt} now={frame.now} />
      </td>
      <td class="n a-tk">
        <Took run={run} />
      </td>
      <td class="mono gone">{codeWords(run)}</td>
      {!isOfOne && <td class="a-nt dim2">{noteOf(run, frame)}</td>}
    </tr>
  );
}

/** A run's state, with what is wrong with one that should be going on. */
function RunMark({ run }: { readonly run: Pick<RunLine, "status"> }) {
  if (run.status === "stale") return <Mark name="warn" label="No heartbeat" />;
  if (run.status === "stopped") return <Mark name="paused" label="Stopped" />;
  return <StateMark state={stateOf(run.status)} />;
}

function Took({ run: { tookMs, endedAt, status } }: { readonly run: RunLine }) {
  if (tookMs === null || status === "queued") return null;
  if (endedAt !== null) return <>{took(tookMs)}</>;
  return (
    <span class="dim2">
      {took(tookMs)}
      <span class="w2"> so far</span>
    </span>
  );
}
