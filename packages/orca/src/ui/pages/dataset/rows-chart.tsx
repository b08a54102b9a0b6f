/** How many rows there were, and how many came, over time. */
import { Scrub } from "../../drawings/scrub.tsx";
import { levelPath, Stretched } from "../../drawings/line.tsx";
import { clock, dayWords, f2, num, percent } from "../../look/text.ts";
import type { RowStretches } from "./row-stretches.ts";

/** Where each of the two lies, in pixels. */
const TOTAL = { top: 8, height: 56 };
const ADDED = { bottom: 143, height: 56 };
const TICKS_MAX = 6;

export function RowsChart({ of: { unit, stretches } }: { readonly of: RowStretches }) {
  const count = stretches.length;
  const label = (from: Date) => (isClocked(unit) ? `${dayWords(from)} ${clock(from)}` : dayWords(from));
  const texts = stretches.map(
    ({ from, rowsAdded, rowsTotal }) =>
      `${label(from)}: ${rowsAdded === null ? "no commit" : `+${num(rowsAdded)} rows`}${rowsTotal === null ? "" : `, ${num(rowsTotal)} in all`}`,
  );
  const totals = stretches.map(({ rowsTotal }) => rowsTotal);
  const max = Math.max(1, ...totals.map((total) => total ?? 0));
  const most = Math.max(1, ...stretches.map(({ rowsAdded }) => rowsAdded ?? 0));
  const every = Math.ceil(count / TICKS_MAX);
  const last = texts.at(-1)!;
  return (
    <>
      <p class="readout" data-readout="rows">
        <b>{last.slice(0, last.indexOf(": "))}</b>
        <span>{last.slice(last.indexOf(": ") + 2)}</span>
      </p>
      <div class="time chart">
        <ul class="time-l">
          <Axis name="Rows" what="in all" max={max} />
          <Axis name="Added" what={`a ${unit}`} max={most} />
        </ul>
        <div class="time-r">
          <svg height="162" role="img" aria-label={`Rows over ${count} ${unit}s: ${last}`}>
            <g>
              {stretches.map(
                ({ from }, place) =>
                  place % every === 0 && (
                    <>
                      <line
                        class="axis"
                        x1={percent((100 * place) / count)}
                        x2={percent((100 * place) / count)}
                        y1="0"
                        y2="144"
                      />
                      <text class="t1 start" x={percent((100 * place) / count)} y="158">
                        {isClocked(unit) ? clock(from) : dayWords(from).replace(/ \d{4}$/, "")}
                      </text>
                    </>
                  ),
              )}
              <line class="axis" x1="0" x2="100%" y1="72.5" y2="72.5" />
              <line class="axis" x1="0" x2="100%" y1="143.5" y2="143.5" />
            </g>
            <Stretched y={TOTAL.top} height={TOTAL.height}>
              <path class="ln hi" d={levelPath(totals, max)} />
            </Stretched>
            {stretches.map(({ rowsAdded }, place) => {
              const height = (ADDED.height * (rowsAdded ?? 0)) / most;
              return (
                height > 0 && (
                  <rect
                    class="plain-b"
                    x={percent((100 * place) / count + 0.06)}
                    y={f2(ADDED.bottom - height)}
                    width={percent(100 / count - 0.12)}
                    height={f2(height)}
                  />
                )
              );
            })}
          </svg>
          <Scrub id="rows" name={`The ${unit}`} texts={texts} at={count - 1} />
        </div>
      </div>
    </>
  );
}

/** Whether days say too little of it. */
function isClocked(unit: RowStretches["unit"]): boolean {
  return unit === "second" || unit === "minute" || unit === "hour";
}

function Axis({ name, what, max }: { readonly name: string; readonly what: string; readonly max: number }) {
  return (
    <li class="h72">
      <span>
        <b>{name}</b>
        <small>{what}</small>
      </span>
      <span class="ax">
        <span>{short(max)}</span>
        <span>0</span>
      </span>
    </li>
  );
}

/** `22 k`, `9.3 M`. */
function short(count: number): string {
  if (count >= 1e9) return `${f2(Math.round(count / 1e7) / 100)} G`;
  if (count >= 1e6) return `${f2(Math.round(count / 1e5) / 10)} M`;
  return count >= 10_000 ? `${Math.round(count / 1e3)} k` : num(count);
}
