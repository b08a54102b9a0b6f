/** Where machines were short of something. */
import { percent } from "../look/text.ts";
import { PRESSURE_WORDS, type Pressure } from "./pressure.ts";

export function Pressures(given: {
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
