/** The newest runs of a pipeline. */
import { hrefWith, runHref } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Name } from "../../look/name.tsx";
import { Section } from "../../look/section.tsx";
import { Time } from "../../look/time.tsx";
import { RunMark, Took } from "../runs/table.tsx";
import { codeWords, noteOf, partitionWords, triggerWords } from "../runs/words.ts";
import type { PipelineData } from "./read.ts";

export function RunsSection({ data: { name, runs }, frame }: { readonly data: PipelineData; readonly frame: Frame }) {
  return (
    <Section
      id="runs"
      title="Runs"
      tools={
        runs.length > 0 && (
          <a class="btn bare" href={hrefWith("/runs", { pipeline: name })}>
            All runs
          </a>
        )
      }
    >
      {runs.length === 0 ? (
        <p class="note">No run yet.</p>
      ) : (
        <table class="tbl cards runs" data-list>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">State</th>
              <th scope="col">Partitions</th>
              <th scope="col">Trigger</th>
              <th scope="col">Started</th>
              <th scope="col" class="n">
                Took
              </th>
              <th scope="col">Code</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRows run={run} frame={frame} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** A run's row, and below it what is to be said of it. */
function RunRows({ run, frame }: { readonly run: PipelineData["runs"][number]; readonly frame: Frame }) {
  const note = noteOf(run, frame);
  return (
    <>
      <tr>
        <th scope="row" class="a-id">
          <a class="lead" href={runHref(run.id)}>
            {run.id}
          </a>
        </th>
        <td class="a-st">
          <RunMark run={run} />
        </td>
        <td class="mono a-pt">
          <Name text={partitionWords(run)} />
        </td>
        <td class="a-tr">{triggerWords(run)}</td>
        <td class="a-at">
          <Time at={run.startedAt ?? run.createdAt} now={frame.now} />
        </td>
        <td class="n a-tk">
          <Took run={run} />
        </td>
        <td class="mono gone">{codeWords(run)}</td>
      </tr>
      {note !== "" && (
        <tr class="sub">
          <td />
          <td colspan={6} class="wide">
            {note}
          </td>
        </tr>
      )}
    </>
  );
}
