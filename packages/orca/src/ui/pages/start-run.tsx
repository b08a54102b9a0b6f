/** Starting a run by hand: which partitions it is over. */
import { loginHref, pipelineHref } from "../look/addresses.ts";
import { partitionsExample } from "../../core/partition-list.ts";
import { partitionOfNow } from "../../core/schedule/partition-of-now.ts";
import { readPipelineHead } from "../../state/pages/pipeline.ts";
import { Crumb } from "../look/section.tsx";
import { num, plural } from "../look/text.ts";
import { view } from "../view.ts";
import { partitionsOf } from "../../core/keys-across.ts";

export const startRunView = view({
  path: "/pipelines/:name/start",
  async read({ database, part, query, now }) {
    const name = part("name");
    const { description, running, pausedAt } = await readPipelineHead(database, name);
    const { partitions, schedule, fills, maxRuns } = description;
    const due =
      partitions.kind === "keyed" ? undefined : partitionOfNow(partitions.kind, fills ?? "current", schedule, now());
    return { name, partitions, maxRuns, running, pausedAt, keys: query.list("keys") ?? due ?? null };
  },
  show({ name, partitions, maxRuns, running, pausedAt, keys }, frame) {
    const title = `Start a run of ${name}`;
    return {
      title,
      at: "Pipelines",
      main: (
        <>
          <Crumb
            links={[
              ["Pipelines", "/"],
              [name, pipelineHref(name)],
            ]}
          />
          <div data-dialog class="ask">
            <div>
              <h1 id="confirm-h">{title}</h1>
            </div>
            <div>
              <label class="fld">
                Partitions
                <input
                  class="in mono"
                  name="keys"
                  form="start"
                  value={keys ?? ""}
                  required
                  autocomplete="off"
                  spellcheck={false}
                />
              </label>
              <p class="note">
                One run over all of them, also of those that are done: {partitionsExample(partitionsOf(partitions))}.{" "}
                {pausedAt === null
                  ? `It starts when the scheduler takes it and fewer than ${plural(maxRuns, "run")} of ${name} are live; ${num(running)} ${running === 1 ? "is" : "are"} now.`
                  : "It waits until the pipeline isn't paused any more."}
              </p>
            </div>
            <form class="foot-d" id="start" method="post" action={pipelineHref(name, "start")}>
              <a class="btn" href={pipelineHref(name)} data-keep>
                Keep as it is
              </a>
              {frame.mayAct ? (
                <button class="btn pri">Start the run</button>
              ) : (
                <a class="btn pri" href={loginHref(frame.path)}>
                  Log in to start it
                </a>
              )}
            </form>
          </div>
        </>
      ),
    };
  },
});
