/** What machines did over time: a line each, or of many the one that was short of something, within what all did. */
import type { MachineMetrics } from "../../logs/machine-metrics.ts";
import { bytes, f2 } from "../look/text.ts";
import type { Pressure } from "./pressure.ts";
import { Stretched } from "./line.tsx";

const PLOT = 56;

interface Chart {
  readonly key: "cpu" | "memory" | "disk" | "network";
  readonly name: string;
  readonly unit: string;
}

export function chartsOf(
  machines: readonly MachineMetrics[],
): readonly (Chart & { readonly max: number; readonly top: string })[] {
  const most = (key: "disk" | "network") => Math.max(1_000_000, ...machines.flatMap((m) => m[key].map((v) => v ?? 0)));
  const [disk, network] = [roundUp(most("disk")), roundUp(most("network"))];
  const memory = Math.max(...machines.map((machine) => machine.memoryBytes));
  return [
    { key: "cpu", name: "CPU", unit: "%", max: 100, top: "100" },
    { key: "memory", name: "Memory", unit: `% of ${bytes(memory)}`, max: 100, top: "100" },
    { key: "disk", name: "Disk", unit: "MB/s", max: disk, top: String(disk / 1e6) },
    { key: "network", name: "Network", unit: "MB/s", max: network, top: String(network / 1e6) },
  ];
}

/** To 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((n) => n * power >= value) ?? 10);
}

export function MachineChart(given: {
  readonly chart: Chart & { readonly max: number };
  readonly machines: readonly MachineMetrics[];
  readonly y: number;
  readonly pressures: readonly Pressure[];
}) {
  const { chart, machines, y, pressures } = given;
  const chosen =
    machines.length <= 4 ? machines : [machines.find((m) => m.name === pressures[0]?.machine) ?? machines[0]!];
  return (
    <>
      <line class="axis" x1="0" x2="100%" y1={y + 0.5} y2={y + 0.5} />
      {chart.key === "memory" && (
        <line class="limit" x1="0" x2="100%" y1={f2(y + 8 + PLOT * 0.1)} y2={f2(y + 8 + PLOT * 0.1)} />
      )}
      <Stretched y={y + 8} height={PLOT}>
        {machines.length > 4 && (
          <path
            class="env"
            d={band(
              machines.map((m) => m[chart.key]),
              chart.max,
            )}
          />
        )}
        {chosen.map((machine) => (
          <path class="ln hi" d={line(machine[chart.key], chart.max)} />
        ))}
      </Stretched>
    </>
  );
}

/** A line over a box of 1000 by 100; where nothing was measured it has gaps. */
function line(values: readonly (number | null)[], max: number): string {
  let isDown = false;
  return values
    .map((value, i) => {
      if (value === null) {
        isDown = false;
        return "";
      }
      const at = `${isDown ? "L" : "M"}${place(i, values.length)} ${f2(100 - (100 * Math.min(value, max)) / max)}`;
      isDown = true;
      return at;
    })
    .join("");
}

/** From the least to the most of all machines. */
function band(series: readonly (readonly (number | null)[])[], max: number): string {
  const points = Array.from({ length: series[0]!.length }, (_, i) => series.flatMap((values) => values[i] ?? []));
  const edge = (of: (values: readonly number[]) => number) =>
    points.flatMap((values, i) =>
      values.length === 0 ? [] : [`${place(i, points.length)} ${f2(100 - (100 * Math.min(max, of(values))) / max)}`],
    );
  return `M${[...edge((v) => Math.max(...v)), ...edge((v) => Math.min(...v)).toReversed()].join("L")}z`;
}

function place(i: number, of: number): string {
  return f2((1000 * i) / Math.max(1, of - 1));
}
