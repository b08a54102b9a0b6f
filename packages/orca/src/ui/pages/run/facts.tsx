/** What is known of a run. */
import { pipelineHref } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Facts } from "../../look/section.tsx";
import { plural, took } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { Two } from "../../look/two.tsx";
import { isDate, partitionWords } from "../runs/words.ts";
import type { RunData } from "./data.ts";
import { Code } from "./code.tsx";
import { Trigger } from "./trigger.tsx";

export function RunFacts({ data, frame: { now } }: { readonly data: RunData; readonly frame: Frame }) {
  const { run } = data;
  const left = leftMs(data);
  const waited = run.startedAt === null ? 0 : run.startedAt.getTime() - run.createdAt.getTime();
  return (
    <Facts
      pairs={[
        ["Pipeline", <a href={pipelineHref(run.pipeline)}>{run.pipeline}</a>],
        ["Partitions", <Two first={<span class="mono">{partitionWords(run)}</span>} second={countWords(run)} />],
        ["Trigger", <Trigger run={run} now={now} />],
        run.startedAt === null
          ? ["Queued", <Time at={run.createdAt} now={now} />]
          : [
              "Started",
              <Two
                first={<Time at={run.startedAt} now={now} />}
                second={run.starts > 1 ? `started ${run.starts} times` : waited > 500 && `after ${took(waited)} queued`}
              />,
            ],
        run.tookMs === null || run.status === "queued"
          ? undefined
          : [
              run.endedAt === null ? "Elapsed" : "Took",
              <Two first={took(run.tookMs)} second={left !== undefined && `about ${took(left)} left`} />,
            ],
        ["Code", <Code run={run} />],
        run.heardAt === null || run.endedAt !== null || run.status === "queued"
          ? undefined
          : ["Heartbeat", <Time at={run.heardAt} now={now} />],
      ]}
    />
  );
}

function countWords({ partitions, first }: RunData["run"]): string | undefined {
  if (partitions === 1 || !isDate(first)) return undefined;
  return plural(partitions, first.length === "2024-01".length ? "month" : "day");
}

/** About how long it goes on, by how long what is done took; undefined where that says nothing. */
function leftMs({ run, counts, total }: RunData): number | undefined {
  const done = total - counts.running - counts.waiting - unreached({ counts, total });
  if (run.status !== "running" || run.tookMs === null || done === 0 || run.starts > 1) return undefined;
  return (run.tookMs * (total - done)) / done;
}

function unreached({ counts, total }: Pick<RunData, "counts" | "total">): number {
  return total - Object.values(counts).reduce((sum, count) => sum + count, 0);
}
