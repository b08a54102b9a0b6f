/** Attempts by step, and what the machines did, on one axis of time. */
import { Scrub } from "./scrub.tsx";
import type { RunMetrics } from "../../logs/machine-metrics.ts";
import type { State } from "../look/state.tsx";
import { Name } from "../look/name.tsx";
import { clock, f2, num, percent } from "../look/text.ts";
import { pressureIn } from "./pressure.ts";
import { lanesOf, ticksOf } from "./lanes.ts";
import { Stretched } from "./line.tsx";
import { TEXTS, placeToStart, textsOf } from "./timeline-words.ts";
import { chartsOf, MachineChart } from "./machine-chart.tsx";
import { Pressures } from "./pressures.tsx";

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

/** Bars that are shorter are drawn as wide as this, in per cent. */
const BAR_LEAST = 0.12;

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
          <Scrub id="tl" name="Time" texts={texts} at={start} isOn />
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
