/** The steps of a run of many partitions: a strip of bins a step, and the partitions that need someone. */
import { attemptHref, hrefWith, runHref } from "../../look/addresses.ts";
import type { BinCounts } from "../../../state/pages/run-bins.ts";
import { Bins } from "../../drawings/bins.tsx";
import type { Part } from "../../drawings/share.tsx";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { Name } from "../../look/name.tsx";
import { Mark, stateOf, STATE_WORDS } from "../../look/state.tsx";
import { num, took } from "../../look/text.ts";
import { tookOf } from "./cell.tsx";
import type { ListedPartitions, RunData } from "./data.ts";

export function ManySteps({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const mapped = data.steps.filter((step) => step.kind === "mapped");
  const gathers = data.steps.filter((step) => step.kind === "gather");
  return (
    <>
      <Legend data={data} />
      <p class="readout" data-readout={mapped.map((step) => idOf(step.name)).join(" ")}>
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

function idOf(step: string): string {
  return `b-${step}`;
}

function Band({ step, data: { run, bins } }: { readonly step: RunData["steps"][number]; readonly data: RunData }) {
  const all = bins!.bins;
  const own = bins!.counts.filter((count) => count.step === step.name);
  const { counts } = step;
  const words = [
    `${num(counts.succeeded)} done`,
    ...(counts.failed > 0 ? [`${num(counts.failed)} failed`] : []),
    ...(counts.running > 0 ? [`${num(counts.running)} running`] : []),
  ].join(", ");
  return (
    <div class="band">
      <div>
        <b>{step.name}</b>
        <small>{words}</small>
      </div>
      <Bins
        id={idOf(step.name)}
        height={34}
        label={`${step.name}: ${words}`}
        name={`${step.name}: range of partitions`}
        go={`${runHref(run.id)}?partitions=all&after=`}
        bins={own.map((count) => ({
          all: all[count.bin]!.partitions,
          parts: partsOf(count, all[count.bin]!.partitions),
          text: `${step.name}, bar ${count.bin + 1} of ${all.length}: ${binWords(count, all[count.bin]!)}`,
          at: all[count.bin - 1]?.first ?? "",
        }))}
      />
    </div>
  );
}

function partsOf(count: BinCounts, partitions: number): readonly Part[] {
  const { succeeded, failed, running, skipped, cancelled } = count;
  const rest = partitions - succeeded - failed - running - skipped - cancelled;
  return [
    ["failed", failed],
    ["running", running],
    ["queued", rest],
    ["skipped", skipped],
    ["cancelled", cancelled],
  ];
}

function binWords(
  count: BinCounts,
  { first, partitions }: { readonly first: string; readonly partitions: number },
): string {
  const parts = [["ok", count.succeeded] as const, ...partsOf(count, partitions)].filter(([, n]) => n > 0);
  const words = parts.map(
    ([state, n]) => `${n} ${state === "queued" ? "not reached" : STATE_WORDS[state].toLowerCase()}`,
  );
  return `${partitions} partitions from ${first}: ${words.join(", ")}`;
}

const ASKED = { failed: "Any step failed", running: "Running", all: "All" } as const;

function Listed(given: {
  readonly listed: ListedPartitions;
  readonly steps: readonly string[];
  readonly run: number;
  readonly now: Date;
}) {
  const { listed, steps, run, now } = given;
  return (
    <>
      <form class="bar-f" role="search" action={`${runHref(run)}#steps`}>
        <input
          class="in mono"
          type="search"
          name="prefix"
          aria-label="Find a partition by how it begins"
          placeholder="Partition begins with…"
        />
        <select class="sel" name="partitions" aria-label="State">
          {Object.entries(ASKED).map(([value, label]) => (
            <option value={value} selected={value === listed.status}>
              {label}
            </option>
          ))}
        </select>
        <button class="btn" type="submit">
          List
        </button>
      </form>
      <table class="tbl cards" data-list>
        <thead>
          <tr>
            <th scope="col">Partition</th>
            {steps.map((step) => (
              <th scope="col">{step}</th>
            ))}
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {listed.partitions.map((partition) => (
            <Line partition={partition} {...given} />
          ))}
        </tbody>
      </table>
      <p class="pager">
        <span>
          {listed.partitions.length === 0
            ? "No partition is like that"
            : `${listed.partitions.length} partitions, by name`}
        </span>
        {listed.after !== null && (
          <a class="btn" href={hrefWith(runHref(run), { partitions: listed.status, after: listed.after }, "#steps")}>
            Next
          </a>
        )}
      </p>
    </>
  );

  function Line({ partition }: { readonly partition: string }) {
    const cells = listed.cells.filter((cell) => cell.partition === partition);
    const why = listed.errors.find((error) => error.partition === partition);
    const main = cells.find((cell) => cell.status === "failed") ?? cells.findLast((cell) => cell.attempts > 0);
    return (
      <tr>
        <th scope="row" class="mono wide">
          {main === undefined ? (
            <Name text={partition} tail={12} />
          ) : (
            <a href={attemptHref(run, main.step, partition)} data-drawer>
              <Name text={partition} tail={12} />
            </a>
          )}
        </th>
        {steps.map((step) => {
          const cell = cells.find((one) => one.step === step);
          if (cell === undefined) return <td data-l={step} />;
          const ms = tookOf(cell, now);
          return (
            <td data-l={step}>
              <Mark name={stateOf(cell.status)} label={ms === undefined ? cell.status : took(ms)} />
            </td>
          );
        })}
        <td class="wide">{why?.error?.split("\n")[0]}</td>
      </tr>
    );
  }
}
