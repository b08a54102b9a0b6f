/** What can be done with what an attempt is of. */
import type { Child } from "hono/jsx";
import { runHref } from "../../look/addresses.ts";
import { LogIn } from "../../look/log-in.tsx";
import type { AttemptGiven } from "./drawer.tsx";

export function Foot({ data: { run, of }, frame }: AttemptGiven) {
  const { id, endedAt, isCancelling } = run.run;
  let foot: Child = <LogIn frame={frame} to="rerun it" />;
  if (frame.mayAct && endedAt !== null)
    foot = (
      <form class="inline" method="post" action={runHref(id, "rerun")}>
        <input type="hidden" name="step" value={of.step} />
        {of.partition !== null && <input type="hidden" name="partition" value={of.partition} />}
        <button class="btn pri">Rerun from here</button>
      </form>
    );
  else if (frame.mayAct)
    foot = (
      <>
        <form class="inline" method="post" action={runHref(id, "cancel")}>
          <button class="btn" data-open="cancel" disabled={isCancelling}>
            Cancel run
          </button>
        </form>
        <span class="note">Can be rerun when the run has ended.</span>
      </>
    );
  return (
    <footer id="attempt-foot" data-live>
      {foot}
    </footer>
  );
}
