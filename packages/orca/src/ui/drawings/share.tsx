import type { State } from "../look/state.tsx";
import { f2, percent } from "../look/text.ts";

/** How many are in a state. */
export type Part = readonly [state: State, count: number];

/** A part of a bar that is there at all is as wide as this. */
const LEAST = 3;

/** Parts of a whole as a thin bar, within a drawing. */
export function Share(given: {
  readonly parts: readonly Part[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
}) {
  const { x, y, width } = given;
  const parts = given.parts.filter(([, count]) => count > 0);
  const all = parts.reduce((sum, [, count]) => sum + count, 0);
  let at = x;
  return (
    <g>
      {parts.map(([state, count], i) => {
        const wide = i === parts.length - 1 ? x + width - at : Math.max(LEAST, (width * count) / all);
        at += wide;
        return <rect class={`p-${state}`} x={f2(at - wide)} y={y} width={f2(wide)} height="4" />;
      })}
    </g>
  );
}

/** Parts of a whole as the bar of a page's head: what is in none of them is the track. */
export function Progress(given: { readonly parts: readonly Part[]; readonly whole: number; readonly label: string }) {
  let at = 0;
  return (
    <svg class="prog" role="img" aria-label={given.label}>
      <rect class="track" width="100%" height="8" />
      {given.parts.map(([state, count]) => {
        if (count === 0) return null;
        const wide = (100 * count) / Math.max(1, given.whole);
        at += wide;
        return <rect class={`b-${state}`} x={percent(at - wide)} width={percent(wide)} height="8" />;
      })}
    </svg>
  );
}
