import { Scrub } from "./scrub.tsx";
import type { EndedRuns } from "../../state/pages/run-counts.ts";
import { clock, dayMonth, f2, num, percent, plural } from "../look/text.ts";

const HEIGHT = 48;
const FAILED_TALLEST = 18;
const FAILED_EACH = 6;
/** In per cent, on both sides of a bar. */
const GAP = 0.08;
const DAY_MS = 86_400_000;

/** The runs that ended lately: a bar for each stretch of time. Those that failed hang below the line, so that few show beside many. */
export function EndedStrip({ ended: { from, binMs, bins, isCut } }: { readonly ended: EndedRuns }) {
  const most = Math.max(1, ...bins.map((bin) => bin.ended - bin.failed));
  const width = 100 / bins.length;
  const at = (bin: number) => new Date(from.getTime() + bin * binMs);
  const texts = bins.map(({ ended, failed }, bin) => {
    const words = failed === 0 ? "" : `, ${num(failed)} failed`;
    return `${dayMonth(at(bin))} ${clock(at(bin)).slice(0, 5)}: ${plural(ended, "run")} ended${words}`;
  });
  const all = bins.reduce((sum, bin) => sum + bin.ended, 0);
  const failed = bins.reduce((sum, bin) => sum + bin.failed, 0);
  const days = Math.round((bins.length * binMs) / DAY_MS);
  return (
    <>
      <p class="readout" data-readout="hist">
        <b>Last {days} days</b>
        <span>
          {num(all)}
          {isCut ? "+" : ""} {all === 1 ? "run" : "runs"} ended, {num(failed)} failed. Each bar is {binMs / 60_000}{" "}
          minutes; failed runs hang below the line.
        </span>
      </p>
      <div class="bins">
        <svg
          height={HEIGHT + 2 + FAILED_TALLEST + 2}
          role="img"
          aria-label={`Runs that ended over the last ${days} days`}
        >
          {bins.map((bin, i) => {
            const tall = ((bin.ended - bin.failed) / most) * HEIGHT;
            const box = { x: percent(i * width + GAP), width: percent(width - 2 * GAP) };
            return (
              <>
                {tall > 0 && <rect class="b-ok" {...box} y={f2(HEIGHT - tall)} height={f2(tall)} />}
                {bin.failed > 0 && (
                  <rect
                    class="b-failed"
                    {...box}
                    y={HEIGHT + 2}
                    height={Math.min(FAILED_TALLEST, bin.failed * FAILED_EACH)}
                  />
                )}
              </>
            );
          })}
          <line class="axis" x1="0" x2="100%" y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
        </svg>
        <Scrub id="hist" name="Time" texts={texts} at={bins.length - 1} />
      </div>
      <p class="ticks">
        {Array.from({ length: days + 1 }, (_, day) => (
          <span>{day === days ? "now" : dayMonth(new Date(from.getTime() + day * DAY_MS))}</span>
        ))}
      </p>
    </>
  );
}
