/** The attempts of a step of a partition: a drawer beside its run's page, with an address of its own. */
import { readLogLines, type LogLines } from "../../logs/log-lines.ts";
import { readAttempt, readStepAttempts, type AttemptDetail, type StepAttempts } from "../../state/pages/attempt.ts";
import { idFrom } from "../query.ts";
import { view, type AnyView, type Asked } from "../view.ts";
import { Attempt } from "./attempt/drawer.tsx";
import { SHOWN_BYTES } from "./attempt/log.tsx";
import { shownRun } from "./run.tsx";
import { readRunData, type RunData } from "./run/data.ts";

export interface AttemptData {
  readonly run: RunData;
  readonly of: StepAttempts;
  /** The one that is asked for, or the last; null if it was never tried. */
  readonly attempt: AttemptDetail | null;
  /** The end of its log; null if there is none. */
  readonly log: LogLines | null;
}

export const attemptView = viewOf("/runs/:run/steps/:step/:partition", (asked) => asked.part("partition"));
export const gatherAttemptView = viewOf("/runs/:run/steps/:step", () => "");

function viewOf(path: string, partitionOf: (asked: Asked) => string): AnyView {
  return view<AttemptData>({
    path,
    async read(asked) {
      const { database, logs, query } = asked;
      const run = idFrom(asked.part("run"), "run");
      const [step, partition] = [asked.part("step"), partitionOf(asked)];
      const [data, of] = await Promise.all([readRunData(asked, run), readStepAttempts(database, run, step, partition)]);
      const number = query.count("attempt") ?? of.attempts[0]?.attempt;
      const attempt = number === undefined ? null : await readAttempt(database, run, step, partition, number);
      const location = attempt?.log ?? null;
      const log = location === null ? undefined : await readLogLines(location, { last: SHOWN_BYTES }, logs);
      return { run: data, of, attempt, log: log ?? null };
    },
    show(data, frame) {
      const { run, of } = data;
      const shown = shownRun(run, frame);
      return {
        ...shown,
        title: `${of.step} ${of.partition ?? ""}, run ${run.run.id}`,
        after: <Attempt data={data} frame={frame} />,
      };
    },
  });
}
