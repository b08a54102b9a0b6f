/** When what of a run went on, and what its machines did meanwhile. */
import { Timeline, type TimelineBar, type TimelineStep } from "../../drawings/timeline.tsx";
import type { Frame } from "../../look/frame.ts";
import { Section } from "../../look/section.tsx";
import { stateOf } from "../../look/state.tsx";
import { plural } from "../../look/text.ts";
import { busyShares } from "./busy-shares.ts";
import type { RunData } from "./data.ts";

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
