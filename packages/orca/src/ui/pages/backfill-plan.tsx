/** What a backfill will do, before it is queued: in a dialog, or as a page of its own. */
import { pipelineHref, runHref } from "../look/addresses.ts";
import { KEY_STATES } from "../../state/pages/key-states.ts";
import { readPipelineHead } from "../../state/pages/pipeline.ts";
import type { KeyRow } from "../../state/pages/key-facts.ts";
import { KeyMark } from "../look/partition-state.tsx";
import { LogIn } from "../look/log-in.tsx";
import { Plan } from "../look/plan.tsx";
import { startWords } from "../look/starts.ts";
import { plural } from "../look/text.ts";
import { units } from "../look/units.ts";
import { view } from "../view.ts";
import type { Query } from "../query.ts";
import { planBackfill } from "./pipeline/plan.ts";

export const backfillPlanView = view({
  path: "/pipelines/:name/backfill",
  async read({ database, part, query }) {
    const name = part("name");
    const { description, running } = await readPipelineHead(database, name);
    const asked = backfillAskedIn(query);
    const isRerun = query.is("rerun");
    const plan = await planBackfill(database, description, asked, isRerun);
    const { partitions, maxRuns, keysPerRun, steps } = description;
    return { name, partitions, maxRuns, keysPerRun, running, steps: steps.length, ...asked, isRerun, ...plan };
  },
  show(data, frame) {
    const { name, partitions, list, state, isRerun, asked, queued, runs } = data;
    const verb = isRerun ? "Rerun" : "Backfill";
    const title = `${verb} ${units(partitions.kind, asked)} of ${name}`;
    return {
      title,
      at: "Pipelines",
      main: (
        <Plan
          title={title}
          links={[
            ["Pipelines", "/"],
            [name, pipelineHref(name)],
          ]}
          action={pipelineHref(name, "backfill")}
          fields={
            <>
              {list !== undefined && <input type="hidden" name="keys" value={list} />}
              {state !== undefined && <input type="hidden" name="state" value={state} />}
              {isRerun && <input type="hidden" name="rerun" value="1" />}
            </>
          }
          keep={`${pipelineHref(name)}#partitions`}
          act={
            frame.mayAct ? (
              <button class="btn pri" disabled={queued === 0}>
                {queued === 0 ? "Nothing to queue" : `Queue ${plural(runs, "run")}`}
              </button>
            ) : (
              <LogIn frame={frame} to="queue" isFirst />
            )
          }
        >
          <PlanTable data={data} />
          <p class="note">{planWords(data)}</p>
        </Plan>
      ),
    };
  },
});

/** The partitions by their list, or by checkboxes, or all of a state. */
export function backfillAskedIn(query: Query) {
  const keys = query.all("key");
  const list = keys.length > 0 ? keys.join(",") : query.list("keys");
  return { list, state: list === undefined ? query.oneOf("state", KEY_STATES) : undefined };
}

interface Data {
  readonly name: string;
  readonly partitions: { readonly kind: "monthly" | "daily" | "keyed" };
  readonly maxRuns: number;
  readonly keysPerRun: number | null;
  readonly running: number;
  readonly steps: number;
  readonly isRerun: boolean;
  readonly asked: number;
  readonly live: number;
  readonly done: number;
  readonly queued: number;
  readonly runs: number;
  readonly keys: readonly KeyRow[];
}

function PlanTable({ data: { keys, asked, partitions, isRerun, steps } }: { readonly data: Data }) {
  const more = asked - keys.length;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="What each partition will do">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Partition</th>
            <th scope="col">Now</th>
            <th scope="col">Will</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((row) => (
            <tr>
              <th scope="row" class="mono">
                {row.key}
              </th>
              <td>
                <KeyMark state={row.state} />
              </td>
              <td>
                <Will row={row} isRerun={isRerun} steps={steps} />
              </td>
            </tr>
          ))}
          {more > 0 && (
            <tr>
              <td colspan={3} class="dim">
                and {units(partitions.kind, more)} more
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Will({ row, isRerun, steps }: { readonly row: KeyRow; readonly isRerun: boolean; readonly steps: number }) {
  if (row.state === "running" || row.state === "queued")
    return (
      <span class="dim">
        not be run: it is in <a href={runHref(row.run!)}>run {row.run}</a>
      </span>
    );
  if (row.state === "done" && !isRerun) return <span class="dim">not be run: done with this code</span>;
  return <>{steps === 1 ? "run its step" : "run all steps"}</>;
}

function planWords({ name, partitions, queued, runs, live, done, maxRuns, running, keysPerRun }: Data): string {
  const left = [
    done > 0 ? `${units(partitions.kind, done)} ${done === 1 ? "is" : "are"} done already` : undefined,
    live > 0
      ? `${units(partitions.kind, live)} ${live === 1 ? "is" : "are"} in runs that are queued or going on`
      : undefined,
  ].filter((part) => part !== undefined);
  const rest = left.length === 0 ? "" : ` ${left.join(", and ")}.`;
  if (queued === 0) return `Nothing is left to queue.${rest}`;
  const each =
    runs === 1 ? `of ${units(partitions.kind, queued)}` : `of ${units(partitions.kind, keysPerRun ?? 1)} each`;
  return `Queues ${plural(runs, "run")} ${each}.${rest} ${startWords({ name, maxRuns, running }, runs)}`;
}
