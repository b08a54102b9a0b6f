/** What can be asked of a pipeline and of a dataset. */
import { backfillHref, pipelineHref, rebuildHref, runHref } from "../look/addresses.ts";
import { datasetKeys } from "../../core/dataset-keys.ts";
import { partitionsIn } from "../../core/partition-list.ts";
import { partitionsOf } from "../../core/keys-across.ts";
import { queueBackfill } from "../../state/backfills.ts";
import { queueRun } from "../../state/manual-runs.ts";
import { beginRebuild } from "../../state/rebuilds.ts";
import { registeredPipeline } from "../../state/registered.ts";
import { pausePipeline } from "../../state/registration.ts";
import { OrcaError } from "../../core/errors.ts";
import { plural } from "../look/text.ts";
import { backfillAskedIn } from "../pages/backfill-plan.tsx";
import { keysAsked } from "../pages/pipeline/keys-asked.ts";
import type { Query } from "../query.ts";
import type { Act } from "./act.ts";

function pausing(isPaused: boolean): Act {
  return {
    path: `/pipelines/:name/${isPaused ? "pause" : "unpause"}`,
    async act({ database, part, actor }) {
      const name = part("name");
      await pausePipeline(database, name, isPaused, actor);
      const told = isPaused ? `${name} is paused: its runs stay queued.` : `${name} isn't paused any more.`;
      return { told, to: pipelineHref(name) };
    },
  };
}

const start: Act = {
  path: "/pipelines/:name/start",
  async act({ database, part, form, actor }) {
    const name = part("name");
    const { description } = await registeredPipeline(database, name);
    const keys = partitionsIn(name, partitionsOf(description.partitions), listed(form));
    const run = await queueRun(database, { pipeline: name, keys, actor });
    return { told: `Run ${run} is queued: a scheduler starts it when there is a place.`, to: runHref(run) };
  },
};

const backfill: Act = {
  path: "/pipelines/:name/backfill",
  async act({ database, part, form, actor }) {
    const pipeline = part("name");
    const { description } = await registeredPipeline(database, pipeline);
    const asked = backfillAskedIn(form);
    const { id, queued, runs, done, live } = await queueBackfill(database, {
      pipeline,
      keys: await keysAsked(database, description, asked),
      asked: asked.list ?? `all that are ${asked.state}`,
      isRerun: form.is("rerun"),
      isReversed: form.is("reverse"),
      maxRuns: form.count("maxRuns"),
      actor,
      isDry: false,
    });
    const left = [
      done > 0 ? `${plural(done, "partition")} done already` : "",
      live > 0 ? `${plural(live, "partition")} in runs that are queued or going on` : "",
    ].filter((part) => part !== "");
    const told = `Backfill ${id}: ${plural(runs, "run")} over ${plural(queued, "partition")} queued${left.length > 0 ? `; ${left.join(", ")}` : ""}.`;
    return { told, to: backfillHref(id!) };
  },
};

const rebuild: Act = {
  path: "/datasets/:name/rebuild",
  async act({ database, part, form, actor }) {
    const { id, levels } = await beginRebuild(database, {
      dataset: part("name"),
      keys: datasetKeys(listed(form)),
      actor,
    });
    return {
      told: `Rebuild ${id}: ${plural(levels.length, "pipeline")} to run anew, level by level.`,
      to: rebuildHref(id),
    };
  },
};

/** @throws OrcaError `usage` if none are given. */
function listed(form: Query): string {
  const list = form.list("keys");
  if (list === undefined) throw new OrcaError("usage", "no partitions are given: write such as 2024-01..2024-03");
  return list;
}

export const pipelineActs: readonly Act[] = [pausing(true), pausing(false), start, backfill, rebuild];
