/** Starting a run by hand: which partitions it is over. */
import { pipelineHref } from "../look/addresses.ts";
import { partitionsExample } from "../../core/partition-list.ts";
import { partitionOfNow } from "../../core/schedule/partition-of-now.ts";
import { readPipelineHead } from "../../state/pages/pipeline.ts";
import { LogIn } from "../look/log-in.tsx";
import { Plan } from "../look/plan.tsx";
import { startWords } from "../look/starts.ts";
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
        <Plan
          title={title}
          links={[
            ["Pipelines", "/"],
            [name, pipelineHref(name)],
          ]}
          action={pipelineHref(name, "start")}
          formId="start"
          keep={pipelineHref(name)}
          act={
            frame.mayAct ? (
              <button class="btn pri">Start the run</button>
            ) : (
              <LogIn frame={frame} to="start it" isFirst />
            )
          }
        >
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
              ? startWords({ name, maxRuns, running })
              : "It waits until the pipeline isn't paused any more."}
          </p>
        </Plan>
      ),
    };
  },
});
