/** The steps of a run of many partitions: a strip of bins a step, and the partitions that need someone. */
import { attemptHref } from "../../look/addresses.ts";
import type { Part } from "../../drawings/share.tsx";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { stateOf, STATE_WORDS } from "../../look/state.tsx";
import { num, took } from "../../look/text.ts";
import { tookOf } from "./cell.tsx";
import type { RunData } from "./data.ts";
import { bandIdOf, Band } from "./step-band.tsx";
import { Listed } from "./partition-table.tsx";

export function ManySteps({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const mapped = data.steps.filter((step) => step.kind === "mapped");
  const gathers = data.steps.filter((step) => step.kind === "gather");
  return (
    <>
      <Legend data={data} />
      <p class="readout" data-readout={mapped.map((step) => bandIdOf(step.name)).join(" ")}>
        <b>{num(data.run.partitions)} partitions</b>
        <span>What a bar holds is told here; Enter lists it.</span>
      </p>
      <div class="bands">
        {mapped.map((step) => (
          <Band step={step} data={data} />
        ))}
        {gathers.map((step) => {
          const cell = data.cells.find((one) => one.step === step.name);
          const state = cell === undefined ? "none" : stateOf(cell.status);
          return (
            <div class="band">
              <div>
                <b>{step.name}</b>
                <small>gather</small>
              </div>
              <div class={`c ${state} wide-c`}>
                {cell === undefined || cell.attempts === 0 ? (
                  `${STATE_WORDS[state].toLowerCase()}${cell === undefined && step.after.length > 0 ? `: waits for ${step.after.join(", ")}` : ""}`
                ) : (
                  <a href={attemptHref(data.run.id, step.name, null)}>
                    {STATE_WORDS[state].toLowerCase()}, {took(tookOf(cell, frame.now) ?? 0)}
                  </a>
                )}
              </div>
            </div>
          );
        })}
      </div>
      {data.listed && (
        <Listed listed={data.listed} steps={mapped.map((step) => step.name)} run={data.run.id} now={frame.now} />
      )}
    </>
  );
}

const LEGEND = ["succeeded", "failed", "running", "waiting", "skipped", "cancelled"] as const;

function Legend({ data: { counts, total } }: { readonly data: RunData }) {
  const reached = LEGEND.reduce((sum, status) => sum + counts[status], 0);
  const shown: readonly Part[] = [
    ...LEGEND.map((status) => [stateOf(status), counts[status]] as const),
    ["none", total - reached],
  ];
  return (
    <div>
      <div class="legend">
        {shown
          .filter(([, count]) => count > 0)
          .map(([state, count]) => (
            <span class={`st st-${state}`}>
              <Icon name={state} />
              <b>{num(count)}</b> {STATE_WORDS[state].toLowerCase()}
            </span>
          ))}
      </div>
    </div>
  );
}
