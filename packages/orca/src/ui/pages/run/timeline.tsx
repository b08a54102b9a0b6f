/** When what of a run went on, and what its machines did meanwhile. */
import type { BinCounts } from "../../../state/pages/run-bins.ts";
import { Timeline, type TimelineBar, type TimelineStep } from "../../drawings/timeline.tsx";
import type { Frame } from "../../look/frame.ts";
import { Section } from "../../look/section.tsx";
import { stateOf } from "../../look/state.tsx";
import { plural } from "../../look/text.ts";
import type { RunData } from "./data.ts";

/** How finely the busy share of a step is drawn. */
const BUSY = 200;

export function TimelineSection({ data, frame }: { readonly data: RunData; readonly frame: Frame }) {
  const { run, bins, metrics } = data;
  if (run.startedAt === null) return null;
  const [from, to] = [run.startedAt, run.endedAt ?? frame.now];
  const machines = metrics?.machines.length ?? 0;
  const steps = data.steps.map((step) => stepOf(step.name, step.counts.succeeded, data, from, to));
  return (
    <Section
      id="timeline"
      title={machines === 0 ? "Timeline" : "Timeline and machines"}
      note={
        (bins === null ? "Attempts by step" : "How busy each step was, and what failed") +
        (machines === 0
          ? "."
          : `; below, ${plural(machines, "machine")} on the same axis${machines > 4 ? ": the band is all, the line one" : ""}.`)
      }
    >
      <Timeline
        from={from}
        to={to}
        steps={steps.filter((step) => step.bars.length > 0 || step.busy !== undefined)}
        metrics={metrics}
        label={`Timeline of run ${run.id}: attempts by step${machines === 0 ? "" : ", then CPU, memory, disk and network of each machine"}`}
      />
    </Section>
  );
}

function stepOf(name: string, done: number, data: RunData, from: Date, to: Date): TimelineStep {
  const { cells, retried, bins } = data;
  const own = cells.filter((cell) => cell.step === name && cell.startedAt !== null);
  const again = retried.filter((attempt) => attempt.step === name);
  const isAgain = new Set(again.map((attempt) => attempt.partition));
  const failed = (bins?.failed ?? []).filter((cell) => cell.step === name && cell.startedAt !== null);
  const bars: readonly TimelineBar[] = [
    ...again.map((attempt) => ({
      startedAt: attempt.startedAt,
      endedAt: attempt.endedAt,
      state: stateOf(attempt.status),
      name: `${name} ${attempt.partition ?? ""}, attempt ${attempt.attempt}`.replace(" ,", ","),
    })),
    ...[...own.filter((cell) => !isAgain.has(cell.partition)), ...failed].map((cell) => ({
      startedAt: cell.startedAt!,
      endedAt: cell.endedAt,
      state: stateOf(cell.status),
      name: `${name} ${cell.partition ?? ""}`.trim(),
    })),
  ];
  const counts = bins?.counts.filter((bin) => bin.step === name) ?? [];
  return { name, done, bars, busy: counts.length === 0 ? undefined : busyShares(counts, from, to) };
}

/** Of each bin it is known when its steps began and ended, and how long they took together: they are taken to be spread evenly over that. */
export function busyShares(counts: readonly BinCounts[], from: Date, to: Date): readonly number[] {
  const width = Math.max(1, to.getTime() - from.getTime()) / BUSY;
  const busy = Array.from({ length: BUSY }, () => 0);
  for (const { startedAt, endedAt, tookMs } of counts) {
    if (startedAt === null) continue;
    const [first, last] = [startedAt, endedAt ?? to].map((at) => (at.getTime() - from.getTime()) / width) as [
      number,
      number,
    ];
    const each = tookMs / Math.max(0.001, last - first);
    for (let i = Math.max(0, Math.floor(first)); i < Math.min(BUSY, last); i++)
      busy[i]! += each * (Math.min(last, i + 1) - Math.max(first, i));
  }
  const most = Math.max(...busy);
  return busy.map((ms) => (most === 0 ? 0 : Math.round((100 * ms) / most) / 100));
}
