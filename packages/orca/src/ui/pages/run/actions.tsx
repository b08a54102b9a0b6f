/** What can be done with a run: forms, which ask in a dialog where there is script, and act at once where there is none. */
import { runHref } from "../../look/addresses.ts";
import { Ask, AskDialog } from "../../look/ask.tsx";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { LogIn } from "../../look/log-in.tsx";
import type { RunHead } from "../../../state/pages/run-head.ts";

export function RunActions({ run, frame }: { readonly run: RunHead; readonly frame: Frame }) {
  const isOpen = run.endedAt === null;
  return (
    <>
      {frame.mayAct && isOpen && !run.isCancelling && (
        <Ask action={runHref(run.id, "cancel")} dialog="cancel" label="Cancel run" />
      )}
      {frame.mayAct && mayResume(run) && (
        <Ask action={runHref(run.id, "resume")} dialog="resume" label="Resume" isFirst />
      )}
      {!frame.mayAct && ((isOpen && !run.isCancelling) || mayResume(run)) && <LogIn frame={frame} />}
      <details class="menu">
        <summary class="btn sq" aria-label="More">
          <Icon name="more" />
        </summary>
        <div>
          <a href={runHref(run.id, "driver-log")}>Driver log</a>
          <a href={`${runHref(run.id)}?format=json`}>Run as JSON</a>
        </div>
      </details>
    </>
  );
}

function mayResume({ status, prunedAt }: RunHead): boolean {
  return (
    prunedAt === null && (status === "failed" || status === "cancelled" || status === "stopped" || status === "stale")
  );
}

/** The dialogs that the page's buttons open. */
export function RunDialogs({ run, running }: { readonly run: RunHead; readonly running: number }) {
  const steps = running === 1 ? "Its running step is" : `Its ${running} running steps are`;
  return (
    <>
      <AskDialog
        id="cancel"
        title={`Cancel run ${run.id}?`}
        action={runHref(run.id, "cancel")}
        keep="Keep it running"
        act="Cancel run"
      >
        <p>{running > 0 && `${steps} asked to stop. `}What has succeeded stays done; the run can be resumed.</p>
      </AskDialog>
      <AskDialog
        id="resume"
        title={`Resume run ${run.id}?`}
        action={runHref(run.id, "resume")}
        keep="Leave it as it is"
        act="Resume"
      >
        <p>Steps that aren't done are run again with their recorded input. What has succeeded is not run again.</p>
        <p>
          <label class="st">
            <input type="checkbox" name="allowNewCode" value="yes" checked={run.isNewestCode === false} /> Allow new
            code
          </label>
          <span class="note">
            {run.isNewestCode === false
              ? "The pipeline's code has changed since: without it, the run is refused."
              : "Go on also if the pipeline's code has changed since."}
          </span>
        </p>
      </AskDialog>
    </>
  );
}
