/** The top of a run's page: how it stands and how far it is, and what can be done with it. */
import { hrefWith, pipelineHref } from "../../look/addresses.ts";
import { Progress, type Part } from "../../drawings/share.tsx";
import type { Frame } from "../../look/frame.ts";
import { Crumb, Head } from "../../look/section.tsx";
import { Chip, stateOf, STATE_WORDS } from "../../look/state.tsx";
import { num, plural } from "../../look/text.ts";
import { noteOf } from "../runs/words.ts";
import type { RunData } from "./data.ts";
import { RunActions } from "./actions.tsx";
import { RunFacts } from "./facts.tsx";

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
