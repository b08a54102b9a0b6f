/** A mapped step over many partitions, as a strip of bins. */
import { runHref } from "../../look/addresses.ts";
import type { BinCounts } from "../../../state/pages/run-bins.ts";
import { Bins } from "../../drawings/bins.tsx";
import type { Part } from "../../drawings/share.tsx";
import { STATE_WORDS } from "../../look/state.tsx";
import { num } from "../../look/text.ts";
import type { RunData } from "./data.ts";

export function bandIdOf(step: string): string {
  return `b-${step}`;
}

export function Band({
  step,
  data: { run, bins },
}: {
  readonly step: RunData["steps"][number];
  readonly data: RunData;
}) {
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
        id={bandIdOf(step.name)}
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
