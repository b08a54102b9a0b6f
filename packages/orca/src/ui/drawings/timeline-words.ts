/** What is told of each place along a time line. */
import type { MachineMetrics, RunMetrics } from "../../logs/machine-metrics.ts";
import { clock, f2, took } from "../look/text.ts";
import { PRESSURE_WORDS, type Pressure } from "./pressure.ts";
import type { TimelineStep } from "./timeline.tsx";

/** So many places along the axis have words. */
export const TEXTS = 120;

/** Where the readout begins: at what was short first, or at what failed first, or at what goes on now. */
export function placeToStart(
  { steps, metrics }: { readonly steps: readonly TimelineStep[]; readonly metrics: RunMetrics | null },
  [pressure]: readonly Pressure[],
  placeOf: (at: Date) => number,
): number {
  const points = metrics?.machines[0]?.cpu.length ?? 0;
  if (pressure !== undefined) return Math.round((pressure.first / Math.max(1, points - 1)) * (TEXTS - 1));
  const bars = steps.flatMap((step) => step.bars);
  if (bars.some((bar) => bar.endedAt === null)) return TEXTS - 1;
  const failed = bars.filter((bar) => bar.state === "failed").map((bar) => bar.startedAt.getTime());
  return failed.length === 0 ? Math.floor(TEXTS / 2) : Math.min(TEXTS - 1, placeOf(new Date(Math.min(...failed))) + 1);
}

/** What there was at each place along the axis. */
export function textsOf(
  {
    from,
    steps,
    metrics,
  }: { readonly from: Date; readonly steps: readonly TimelineStep[]; readonly metrics: RunMetrics | null },
  span: number,
  pressures: readonly Pressure[],
): readonly string[] {
  const machines = metrics?.machines ?? [];
  return Array.from({ length: TEXTS }, (_, i) => {
    const at = new Date(from.getTime() + (span * i) / (TEXTS - 1));
    const going = steps.flatMap(({ bars, busy }) =>
      busy === undefined
        ? bars.filter((bar) => bar.startedAt <= at && (bar.endedAt === null || bar.endedAt >= at))
        : [],
    );
    const names = going.slice(0, 3).map((bar) => bar.name);
    const words =
      going.length === 0
        ? "nothing goes on"
        : names.join(", ") + (going.length > 3 ? ` and ${going.length - 3} more` : "");
    const point = Math.round((i / (TEXTS - 1)) * ((machines[0]?.cpu.length ?? 1) - 1));
    const pressed = pressures.filter((one) => one.first <= point && one.last >= point);
    const shown =
      machines.length === 1 ? machines[0] : machines.find((machine) => machine.name === pressed[0]?.machine);
    const isBusy = steps.some((step) => step.busy !== undefined);
    const parts = [
      ...(isBusy ? [`${took(at.getTime() - from.getTime())} after the start`] : [words]),
      ...(shown === undefined ? [] : [machineWords(shown, point)]),
      ...new Set(pressed.map(({ kind }) => PRESSURE_WORDS[kind])),
    ];
    return `${clock(at)}: ${parts.join("; ")}`;
  });
}

function machineWords(machine: MachineMetrics, point: number): string {
  if (machine.memory[point] === null || machine.memory[point] === undefined) return `${machine.name}: nothing measured`;
  const rate = (value: number | null | undefined) => `${f2((value ?? 0) / 1e6)} MB/s`;
  return `${machine.name} CPU ${machine.cpu[point] ?? 0}%, memory ${machine.memory[point]}%, disk ${rate(machine.disk[point])}, network ${rate(machine.network[point])}`;
}
