import type { MachineMetrics, RunMetrics } from "../../logs/machine-metrics.ts";
import type { State } from "../look/state.tsx";
import { Name } from "../look/name.tsx";
import { bytes, clock, f2, num, percent, took } from "../look/text.ts";
import { pressureIn, PRESSURE_WORDS, type Pressure } from "./pressure.ts";
import { lanesOf, ticksOf } from "./lanes.ts";
import { Stretched } from "./line.tsx";

/** One attempt. */
export interface TimelineBar {
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly state: State;
  readonly name: string;
  readonly href?: string | undefined;
}

/** The bars of a step; or, of a step with very many, how busy it was from first to last, from 0 to 1, and those that failed. */
export interface TimelineStep {
  readonly name: string;
  readonly done: number;
  readonly bars: readonly TimelineBar[];
  readonly busy?: readonly number[] | undefined;
}

const TOP = 22;
const LANE = 18;
const LANES_MAX = 6;
const GAP = 24;
const CHART = 72;
const PLOT = 56;
/** Bars that are shorter are drawn as wide as this, in per cent. */
const BAR_LEAST = 0.12;
const TEXTS = 120;

interface Chart {
  readonly key: "cpu" | "memory" | "disk" | "network";
  readonly name: string;
  readonly unit: string;
}

/** Attempts by step, and what the machines did, on one axis. */
export function Timeline(given: {
  readonly from: Date;
  readonly to: Date;
  readonly steps: readonly TimelineStep[];
  readonly metrics: RunMetrics | null;
  readonly label: string;
}) {
  const { from, to, metrics, label } = given;
  const span = Math.max(1, to.getTime() - from.getTime());
  const x = (at: Date) => (100 * (at.getTime() - from.getTime())) / span;
  let y = TOP;
  const steps = given.steps.map((step) => {
    const { of, lanes } =
      step.busy === undefined ? lanesOf(step.bars, to, LANES_MAX) : { of: step.bars.map(() => 0), lanes: 1 };
    const placed = { ...step, of, lanes: Math.max(1, lanes), y };
    y += placed.lanes * LANE;
    return placed;
  });
  const machines = metrics?.machines ?? [];
  const charts = machines.length === 0 ? [] : chartsOf(machines);
  const chartTop = y + GAP;
  const height = charts.length === 0 ? y + 4 : chartTop + charts.length * CHART;
  const pressures = pressureIn(machines);
  const point = (i: number) => (100 * i) / Math.max(1, (machines[0]?.cpu.length ?? 2) - 1);
  const texts = textsOf(given, span, pressures);
  const start = placeToStart(given, pressures, (at) => Math.round((x(at) / 100) * (TEXTS - 1)));
  return (
    <>
      <p class="readout" data-readout="tl">
        <b>{texts[start]!.slice(0, 8)}</b>
        <span>{texts[start]!.slice(10)}</span>
      </p>
      <div class="time">
        <ul class="time-l">
          <li class="h22">
            <span />
            <span class="dim">done</span>
          </li>
          {steps.map((step) =>
            Array.from({ length: step.lanes }, (_, lane) => (
              <li class="h18">
                {lane === 0 && (
                  <>
                    <Name text={step.name} tail={6} />
                    <span class="dim n">{num(step.done)}</span>
                  </>
                )}
              </li>
            )),
          )}
          {charts.length > 0 && <li class="h24" />}
          {charts.map((chart) => (
            <li class="h72">
              <span>
                <b>{chart.name}</b>
                <small>{chart.unit}</small>
              </span>
              <span class="ax">
                <span>{chart.top}</span>
                <span>0</span>
              </span>
            </li>
          ))}
        </ul>
        <div class="time-r">
          <svg height={height} role="img" aria-label={label}>
            <g>
              {ticksOf(from, to, 10).map((at, i) => (
                <>
                  <line class="axis" x1={percent(x(at))} x2={percent(x(at))} y1="16" y2={height} />
                  {x(at) > 3 && x(at) < 97 && (
                    <text class={`t1 tick${i % 2 === 1 ? " odd" : ""}`} x={percent(x(at))} y="11">
                      {span < 600_000 ? clock(at) : clock(at).slice(0, 5)}
                    </text>
                  )}
                </>
              ))}
            </g>
            {charts.length > 0 && (
              <Pressures pressures={pressures} top={chartTop} height={charts.length * CHART} point={point} />
            )}
            {steps.map((step) => (
              <>
                {step.busy !== undefined && <Busy busy={step.busy} y={step.y} />}
                {step.bars.map((bar, i) => {
                  const wide = Math.max(BAR_LEAST, x(bar.endedAt ?? to) - x(bar.startedAt) - 0.03);
                  return (
                    <rect
                      class={`bar ${bar.state}`}
                      x={percent(Math.min(x(bar.startedAt), 100 - wide))}
                      y={step.y + step.of[i]! * LANE + 3}
                      width={percent(wide)}
                      height={LANE - 6}
                    />
                  );
                })}
              </>
            ))}
            {charts.map((chart, i) => (
              <MachineChart chart={chart} machines={machines} y={chartTop + i * CHART} pressures={pressures} />
            ))}
          </svg>
          <div
            class="scrub on"
            id="tl"
            role="slider"
            tabindex={0}
            aria-label="Time"
            aria-valuemin="0"
            aria-valuemax={TEXTS - 1}
            aria-valuenow={start}
            aria-valuetext={texts[start]}
            data-texts={texts.join("|")}
          >
            <span />
          </div>
        </div>
      </div>
    </>
  );
}

/** A step's share of what it did most at once, as one shape. */
function Busy({ busy, y }: { readonly busy: readonly number[]; readonly y: number }) {
  const width = 1000 / busy.length;
  const outline = busy.map((share, i) => `V${f2(100 - share * 100)}H${f2((i + 1) * width)}`).join("");
  return (
    <Stretched y={y + 3} height={LANE - 6}>
      <path class="bar ok" d={`M0 100${outline}V100z`} />
    </Stretched>
  );
}

function chartsOf(
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

function MachineChart(given: {
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

function Pressures(given: {
  readonly pressures: readonly Pressure[];
  readonly top: number;
  readonly height: number;
  readonly point: (i: number) => number;
}) {
  const { pressures, top, height, point } = given;
  const [first] = pressures;
  if (first === undefined) return null;
  const words = [...new Set(pressures.map(({ kind }) => PRESSURE_WORDS[kind]))].join(", ");
  const isLate = point(first.first) > 50;
  return (
    <>
      {pressures.map(({ first: from, last }) => {
        const box = { x: percent(point(from)), width: percent(Math.max(0.3, point(last) - point(from))) };
        return (
          <>
            <rect class="press" {...box} y={top - 2} height={height + 2} />
            <rect class="press-cap" {...box} y={top - 4} height="3" />
          </>
        );
      })}
      <text class={`t1 ${isLate ? "end" : ""}`} x={percent(point(first.first))} y={top - 6}>
        {words}
      </text>
    </>
  );
}

/** Where the readout begins: at what was short first, or at what failed first, or at what goes on now. */
function placeToStart(
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
function textsOf(
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
