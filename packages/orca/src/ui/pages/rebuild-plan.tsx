/** What a rebuild will run anew, before it is queued: in a dialog, or as a page of its own. */
import { datasetHref, pipelineHref } from "../look/addresses.ts";
import { datasetKeys } from "../../core/dataset-keys.ts";
import type { PipelineLevel } from "../../core/downstream.ts";
import { OrcaError } from "../../core/errors.ts";
import { planRebuild } from "../../state/rebuilds.ts";
import { LogIn } from "../look/log-in.tsx";
import { Name } from "../look/name.tsx";
import { Plan } from "../look/plan.tsx";
import { num, plural, span } from "../look/text.ts";
import { view } from "../view.ts";

/** So many pipelines are listed. */
const LISTED_MAX = 100;
/** For so many partitions of the dataset it is found out here what is made from them: it takes time for each pipeline. */
const PARTITIONS_MAX = 20_000;

/** A pipeline that will be run. */
interface PlannedLevel extends Omit<PipelineLevel, "keys"> {
  readonly first: string;
  readonly last: string;
  readonly partitions: number;
}

export const rebuildPlanView = view({
  path: "/datasets/:name/rebuild",
  async read({ database, part, query }) {
    const [dataset, list] = [part("name"), query.list("keys")];
    const keys = list === undefined ? null : datasetKeys(list);
    if (keys !== null && keys.length > PARTITIONS_MAX)
      throw new OrcaError(
        "usage",
        `those are ${num(keys.length)} partitions: here at most ${num(PARTITIONS_MAX)} are rebuilt at once, and by orca rebuild as many as you like`,
      );
    const levels = keys === null ? [] : await planRebuild(database, { dataset, keys });
    return {
      dataset,
      list: list ?? null,
      partitions: keys?.length ?? null,
      pipelines: levels.length,
      levels: levels.slice(0, LISTED_MAX).map(({ pipeline, level, keys: its }): PlannedLevel => {
        return { pipeline, level, first: its[0]!, last: its.at(-1)!, partitions: its.length };
      }),
    };
  },
  show({ dataset, list, partitions, pipelines, levels }, frame) {
    const title = `Rebuild what comes after ${dataset}`;
    return {
      title,
      at: "Datasets",
      main: (
        <Plan
          title={title}
          links={[
            ["Datasets", "/datasets"],
            [dataset, datasetHref(dataset)],
          ]}
          action={datasetHref(dataset, "rebuild")}
          formId="rebuild"
          asksFirst={list === null}
          fields={list !== null && <input type="hidden" name="keys" value={list} />}
          keep={datasetHref(dataset)}
          act={
            !frame.mayAct ? (
              <LogIn frame={frame} to="rebuild" />
            ) : (
              <button class="btn pri">
                {list === null ? "See what it will run" : `Rebuild ${plural(pipelines, "pipeline")}`}
              </button>
            )
          }
        >
          {list === null ? (
            <Which />
          ) : (
            <>
              <LevelTable levels={levels} more={pipelines - levels.length} />
              <p class="note">
                {`Runs ${plural(pipelines, "pipeline")} anew from ${plural(partitions ?? 0, "partition")} of ${dataset}: also what is done. A level is queued when the one before it has succeeded.`}
              </p>
            </>
          )}
        </Plan>
      ),
    };
  },
});

function Which() {
  return (
    <label class="fld">
      Partitions that have changed
      <input
        class="in mono"
        name="keys"
        form="rebuild"
        placeholder="2024-01..2024-03"
        required
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  );
}

function LevelTable({ levels, more }: { readonly levels: readonly PlannedLevel[]; readonly more: number }) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="What will be run">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Pipeline</th>
            <th scope="col">Partitions</th>
          </tr>
        </thead>
        <tbody>
          {levels.map(({ level, pipeline, first, last, partitions }) => (
            <tr>
              <td>{level}</td>
              <th scope="row">
                <a href={pipelineHref(pipeline)}>{pipeline}</a>
              </th>
              <td class="mono">
                <Name text={span(first, last)} /> {partitions > 1 && `(${num(partitions)})`}
              </td>
            </tr>
          ))}
          {more > 0 && (
            <tr>
              <td colspan={3} class="dim">
                and {plural(more, "pipeline")} more
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
