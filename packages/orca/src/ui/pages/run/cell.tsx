/** A step of a partition as a cell, and in words. */
import { attemptHref } from "../../look/addresses.ts";
import type { StepCell } from "../../../state/pages/run-steps.ts";
import type { MatrixCell } from "../../drawings/matrix.tsx";
import { Icon } from "../../look/icon.tsx";
import { STATE_WORDS, stateOf, type State } from "../../look/state.tsx";
import { clock, plural, took } from "../../look/text.ts";

/** How long a step's last attempt has taken. */
export function tookOf({ startedAt, endedAt }: StepCell, now: Date): number | undefined {
  return startedAt === null ? undefined : Math.max(0, (endedAt ?? now).getTime() - startedAt.getTime());
}

/** @param why is told of one that isn't there, or wasn't run. @param error of one that failed. */
export function matrixCell(
  run: number,
  cell: StepCell | undefined,
  now: Date,
  { why, error }: { readonly why: string; readonly error: string | null },
): MatrixCell {
  if (cell === undefined)
    return { state: "none", text: why, label: `Not reached${why === "" ? "" : `: ${why}`}`, say: why };
  const state: State = stateOf(cell.status);
  const href = cell.attempts === 0 ? undefined : attemptHref(run, cell.step, cell.partition);
  const ms = tookOf(cell, now);
  const tries = cell.attempts > 1 ? plural(cell.attempts, "attempt") : undefined;
  if (state === "skipped" || ms === undefined)
    return {
      state,
      href,
      label: STATE_WORDS[state],
      say: why,
      text: (
        <>
          <Icon name={state} />
          <span class="w"> {STATE_WORDS[state].toLowerCase()}</span>
        </>
      ),
    };
  const times = `${clock(cell.startedAt!)} to ${cell.endedAt === null ? "now" : clock(cell.endedAt)}`;
  return {
    state,
    href,
    label: [`${STATE_WORDS[state]},`, took(ms), tries].filter(Boolean).join(" "), // with the cell's text in it as it is
    say: error ?? [times, tries].filter(Boolean).join(", "),
    text: (
      <>
        {took(ms)} {tries && <small>{tries}</small>}
      </>
    ),
  };
}
