import type { Child } from "hono/jsx";
import { f2 } from "../look/text.ts";

/** A path over a box of 1,000 by 100, to be stretched: a level for each value, and steps between. Null breaks the line. */
export function levelPath(values: readonly (number | null)[], max: number): string {
  let path = "";
  let isDown = false;
  for (const [place, value] of values.entries()) {
    if (value === null) {
      isDown = false;
      continue;
    }
    const [x, y] = [f2((1_000 * place) / values.length), f2(100 - (100 * value) / Math.max(1, max))];
    const end = f2((1_000 * (place + 1)) / values.length);
    path += isDown ? `V${y}H${end}` : `M${x} ${y}H${end}`;
    isDown = true;
  }
  return path;
}

/** What is drawn in a box of 1,000 by 100, as wide as there is room. */
export function Stretched({
  y,
  height,
  children,
}: {
  readonly y: number;
  readonly height: number;
  readonly children?: Child;
}) {
  return (
    <svg y={y} width="100%" height={height} viewBox="0 0 1000 100" preserveAspectRatio="none">
      {children}
    </svg>
  );
}
