/** Where a machine was short of something. */
import type { MachineMetrics } from "../../logs/machine-metrics.ts";

/** In per cent: more is pressure. */
const LIMITS = { memory: 90, diskUsed: 90, steal: 20 } as const;
export const PRESSURE_WORDS = {
  memory: "memory over 90%",
  diskUsed: "disk over 90%",
  steal: "steal over 20%",
} as const;

export interface Pressure {
  readonly machine: string;
  readonly kind: keyof typeof LIMITS;
  /** The first and the last point of it. */
  readonly first: number;
  readonly last: number;
}

/** So many are marked. */
const PRESSURES_MAX = 100;

/** The earliest first. */
export function pressureIn(machines: readonly MachineMetrics[]): readonly Pressure[] {
  const found: Pressure[] = [];
  for (const machine of machines)
    for (const kind of ["memory", "diskUsed", "steal"] as const) {
      let first: number | undefined;
      for (const [i, value] of [...machine[kind], null].entries()) {
        const isOver = value !== null && value > LIMITS[kind];
        if (isOver) first ??= i;
        else if (first !== undefined) {
          found.push({ machine: machine.name, kind, first, last: i - 1 });
          first = undefined;
        }
      }
    }
  return found.sort((a, b) => a.first - b.first).slice(0, PRESSURES_MAX);
}
