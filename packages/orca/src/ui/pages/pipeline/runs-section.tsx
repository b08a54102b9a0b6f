/** The newest runs of a pipeline. */
import { hrefWith } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Section } from "../../look/section.tsx";
import { RunRow } from "../runs/table.tsx";
import { noteOf } from "../runs/words.ts";
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
      <RunRow run={run} frame={frame} isOfOne />
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
