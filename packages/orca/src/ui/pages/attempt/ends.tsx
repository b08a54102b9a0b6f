/** How an attempt ended. */
import type { AttemptData } from "../attempt.tsx";
import { Places } from "../run/code.tsx";

/** The error's kind, if it names one, and what it says. */
export function ErrorOf({ data: { attempt, run } }: { readonly data: AttemptData }) {
  if (attempt === null || attempt.error === null) return null;
  const [, kind, text] = /^([a-z]+(?:-[a-z]+)+): (.*)$/s.exec(attempt.error) ?? [];
  return (
    <div class="err" role="group" aria-label="Error">
      <b>{kind ?? ENDS[attempt.status] ?? "Failed"}</b>
      <pre tabindex={0} aria-label="Error text">
        {text ?? attempt.error}
      </pre>
      <Places text={attempt.error} run={run.run} />
    </div>
  );
}

/** How attempts end that states have no words for. */
export const ENDS: Readonly<Record<string, string>> = {
  crashed: "Crashed",
  "timed-out": "Timed out",
  lost: "Lost",
  cancelled: "Cancelled",
};
