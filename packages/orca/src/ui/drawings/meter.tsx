import { num, percent } from "../look/text.ts";

/** A share as a thin bar. @param label what it says, `3 of 4` by default. */
export function Meter({
  part,
  whole,
  tone = "ok",
  label = `${num(part)} of ${num(whole)}`,
}: {
  readonly part: number;
  readonly whole: number;
  readonly tone?: string;
  readonly label?: string;
}) {
  return (
    <svg class="spark" role="img" aria-label={label}>
      <rect class="track" width="100%" height="4" rx="2" />
      <rect class={`b-${tone}`} width={percent((100 * part) / Math.max(1, whole))} height="4" rx="2" />
    </svg>
  );
}
