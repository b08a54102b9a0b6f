/** What can be asked of a run. */
import { runHref } from "../look/addresses.ts";
import { askToCancel } from "../../state/cancel.ts";
import { queueRerun } from "../../state/rerun.ts";
import { resumeRun } from "../../state/resume.ts";
import { idFrom } from "../query.ts";
import type { Act, ActAsked } from "./act.ts";

const runOf = ({ part }: ActAsked) => idFrom(part("run"), "run");

const cancel: Act = {
  path: "/runs/:run/cancel",
  async act(asked) {
    const run = runOf(asked);
    const status = await askToCancel(asked.database, run, asked.staleMs, asked.actor);
    const told = {
      queued: `Run ${run} is cancelled.`,
      running: `Run ${run} is asked to stop: its running steps are told.`,
      cancelled: `Run ${run} is cancelled.`,
      succeeded: `Run ${run} had succeeded already.`,
      failed: `Run ${run} had failed already.`,
    }[status];
    return { told, to: runHref(run) };
  },
};

const resume: Act = {
  path: "/runs/:run/resume",
  async act(asked) {
    const run = runOf(asked);
    const { database, staleMs, actor, form } = asked;
    await resumeRun(database, { run, allowsNewCode: form.is("allowNewCode"), staleMs, actor });
    return { told: `Run ${run} is queued: a scheduler starts it when there is a place.`, to: runHref(run) };
  },
};

const rerun: Act = {
  path: "/runs/:run/rerun",
  async act(asked) {
    const { database, actor, form } = asked;
    const run = runOf(asked);
    const [steps, partitions] = [form.all("step"), form.all("partition")];
    const as = await queueRerun(database, {
      run,
      allowsNewCode: form.is("allowNewCode"),
      actor,
      ...(steps.length === 0 ? {} : { steps }),
      ...(partitions.length === 0 ? {} : { partitions }),
    });
    const told = `Run ${as} is queued: what run ${run} did is done again, a scheduler starts it when there is a place.`;
    return { told, to: runHref(as) };
  },
};

export const runActs: readonly Act[] = [cancel, resume, rerun];
