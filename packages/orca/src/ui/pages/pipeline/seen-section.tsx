/** The snapshots that a sensor has seen. */
import { datasetHref, hrefWith, runHref } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Name } from "../../look/name.tsx";
import { Section } from "../../look/section.tsx";
import { num } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { PipelineData } from "./read.ts";

export function SeenSection({
  data: { seen, partitions },
  frame,
}: {
  readonly data: PipelineData;
  readonly frame: Frame;
}) {
  if (seen === null) return null;
  // runs over new names come of all snapshots since the program was asked for its names before
  const isKeyed = partitions.kind === "keyed";
  const started = isKeyed ? "their new names are asked of the program, and run" : "the runs that they started";
  return (
    <Section id="seen" title="Snapshots seen" note={`The newest first, and ${started}.`}>
      {seen.length === 0 ? (
        <p class="note">None yet.</p>
      ) : (
        <table class="tbl cards">
          <thead>
            <tr>
              <th scope="col">Snapshot</th>
              <th scope="col">Seen</th>
              <th scope="col">Made by</th>
              {!isKeyed && <th scope="col">Started</th>}
            </tr>
          </thead>
          <tbody>
            {seen.map((row) => (
              <tr>
                <th scope="row" class="mono wide">
                  <a href={hrefWith(datasetHref(row.dataset), { snapshot: row.snapshot })}>
                    <Name text={`${row.dataset}@${row.snapshot}`} tail={6} />
                  </a>
                </th>
                <td>
                  <Time at={row.seenAt} now={frame.now} />
                </td>
                <td>
                  {row.madeBy === null ? (
                    <span class="dim">not Orca</span>
                  ) : (
                    <a href={runHref(row.madeBy)}>
                      {row.madeByPipeline} run {row.madeBy}
                      {row.madeByPartition !== null && `, ${row.madeByPartition}`}
                    </a>
                  )}
                </td>
                {!isKeyed && (
                  <td>
                    <Started runs={row.started} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Started({ runs }: { readonly runs: NonNullable<PipelineData["seen"]>[number]["started"] }) {
  if (runs.length === 0) return <span class="dim">nothing</span>;
  return (
    <>
      {runs.map(({ run, first, keys }, place) => (
        <>
          {place > 0 && ", "}
          <a href={runHref(run)}>
            run {run}, {keys === 1 ? first : `${num(keys)} from ${first}`}
          </a>
        </>
      ))}
    </>
  );
}
