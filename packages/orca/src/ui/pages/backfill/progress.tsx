/** How much of a backfill was done by when, with when it ends if it goes on so. */
import { Scrub } from "../../drawings/scrub.tsx";
import type { ProgressPoint } from "../../../state/pages/backfills.ts";
import { Section } from "../../look/section.tsx";
import { clock, f2, num, percent } from "../../look/text.ts";

const HEIGHT = 110;
const PAD = 4;
/** What is done within the last so many milliseconds tells how fast it goes. */
const RATE_MS = 10 * 60_000;

export interface Estimate {
  /** Keys a minute. */
  readonly rate: number;
  /** Undefined while nothing was done lately. */
  readonly leftMs: number | undefined;
}

export function estimateOf(points: readonly ProgressPoint[], left: number): Estimate {
  const last = points.at(-1);
  if (last === undefined) return { rate: 0, leftMs: undefined };
  const from = points.findLast((point) => last.at.getTime() - point.at.getTime() >= RATE_MS) ?? points[0]!;
  const minutes = (last.at.getTime() - from.at.getTime()) / 60_000;
  const rate = minutes <= 0 ? 0 : (last.done - from.done) / minutes;
  return { rate, leftMs: rate <= 0 || left <= 0 ? undefined : (left / rate) * 60_000 };
}

export function ProgressSection({
  points,
  whole,
  estimate: { rate, leftMs },
  isLive,
}: {
  readonly points: readonly ProgressPoint[];
  readonly whole: number;
  readonly estimate: Estimate;
  readonly isLive: boolean;
}) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || whole === 0) return null;
  const spent = last.at.getTime() - first.at.getTime();
  const all = spent + (isLive ? Math.min(leftMs ?? 0, spent * 3) : 0);
  const x = (at: Date) => (all === 0 ? 1_000 : (1_000 * (at.getTime() - first.at.getTime())) / all);
  const y = (done: number) => 100 - (100 * done) / whole;
  const line = points
    .map(({ at, done }, place) => (place === 0 ? `M${f2(x(at))} ${f2(y(done))}` : `H${f2(x(at))}V${f2(y(done))}`))
    .join("");
  const now = x(last.at);
  const end = isLive && leftMs !== undefined ? last.done + (rate * (all - spent)) / 60_000 : undefined;
  const texts = points.map((point) => `${clock(point.at)}: ${num(point.done)} of ${num(whole)} done`);
  return (
    <Section
      id="progress"
      title="Progress"
      note={
        isLive && end !== undefined ? "The thin line is the estimate at the rate of the last 10 minutes." : undefined
      }
    >
      <p class="readout" data-readout="burn">
        <b>{clock(last.at)}</b>
        <span>
          {num(last.done)} of {num(whole)} done{isLive && `; ${f2(rate)} a minute lately`}
        </span>
      </p>
      <div class="chart y2">
        <div class="y y-110" aria-hidden="true">
          <span>{num(whole)}</span>
          <span>0</span>
        </div>
        <div class="time-r">
          <svg height={HEIGHT} role="img" aria-label="How many were done over time">
            <line class="axis" x1="0" x2="100%" y1={PAD + 0.5} y2={PAD + 0.5} />
            <line class="axis" x1="0" x2="100%" y1={HEIGHT - PAD - 0.5} y2={HEIGHT - PAD - 0.5} />
            {isLive && (
              <line class="axis now" x1={percent(now / 10)} x2={percent(now / 10)} y1={PAD} y2={HEIGHT - PAD} />
            )}
            <svg y={PAD} width="100%" height={HEIGHT - 2 * PAD} viewBox="0 0 1000 100" preserveAspectRatio="none">
              <path class="area" d={`${line}V100H0z`} />
              <path class="ln hi" d={line} />
              {end !== undefined && (
                <path class="ln est" d={`M${f2(now)} ${f2(y(last.done))}L1000 ${f2(Math.max(0, y(end)))}`} />
              )}
            </svg>
          </svg>
          <Scrub id="burn" name="Time" texts={texts} at={points.length - 1} />
        </div>
      </div>
    </Section>
  );
}
