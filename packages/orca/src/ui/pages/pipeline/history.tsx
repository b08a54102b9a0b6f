/** What a pipeline has done, is going to do, and by which code. */
import { datasetHref, hrefWith, runHref } from "../../look/addresses.ts";
import { VERSION_RUNS_MAX } from "../../../state/pages/pipeline.ts";
import type { Frame } from "../../look/frame.ts";
import { Name } from "../../look/name.tsx";
import { Section } from "../../look/section.tsx";
import { num, until } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import { RunMark, Took } from "../runs/table.tsx";
import { codeWords, noteOf, partitionWords, triggerWords } from "../runs/words.ts";
import { CodeLink } from "./facts.tsx";
import type { PipelineData } from "./read.ts";
import { zoneName } from "./schedule-words.ts";

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

export function FiresSection({
  data: { schedule, fires },
  frame,
}: {
  readonly data: PipelineData;
  readonly frame: Frame;
}) {
  if (schedule === null || fires.length === 0) return null;
  const isUtc = zoneName(schedule.timeZone) === "UTC";
  return (
    <Section id="fires" title="Next fires">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Fires</th>
            {!isUtc && <th scope="col">{zoneName(schedule.timeZone)}</th>}
            <th scope="col" class={isUtc ? "" : "gone"}>
              UTC
            </th>
            <th scope="col" class="n">
              Fills
            </th>
          </tr>
        </thead>
        <tbody>
          {fires.map(({ at, partition }) => (
            <tr>
              <td>
                <Time at={at} now={frame.now} words={until(at, frame.now)} />
              </td>
              {!isUtc && <td>{clockIn(at, schedule.timeZone)}</td>}
              <td class={isUtc ? "" : "gone"}>{isUtc ? clockIn(at, "UTC") : at.toISOString().slice(11, 16)}</td>
              <td class="n mono">{partition}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** `1 Jul 06:10`, on a zone's clock. */
function clockIn(at: Date, timeZone: string): string {
  const options = {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  return new Intl.DateTimeFormat("en-GB", options).format(at).replace(",", "");
}

export function VersionsSection({ data: { versions }, frame }: { readonly data: PipelineData; readonly frame: Frame }) {
  return (
    <Section id="versions" title="Versions" note={`Runs among the newest ${num(VERSION_RUNS_MAX)}.`}>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Changed</th>
            <th scope="col">First seen</th>
            <th scope="col" class="n">
              Runs
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <tr>
              <th scope="row">
                <CodeLink code={version} />
                {version.isCurrent && (
                  <>
                    {" "}
                    <span class="tag">now</span>
                  </>
                )}
              </th>
              <td>{changeWords(version.changed)}</td>
              <td>
                <Time at={version.firstSeenAt} now={frame.now} />
              </td>
              <td class="n">{num(version.runs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const STEPS_MAX = 4;

function changeWords(changed: readonly string[] | null): string {
  if (changed === null) return "first version";
  if (changed.length === 0) return "no step";
  const more = changed.length - STEPS_MAX;
  return `${changed.slice(0, STEPS_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export function SeenSection({ data: { seen }, frame }: { readonly data: PipelineData; readonly frame: Frame }) {
  if (seen === null) return null;
  return (
    <Section id="seen" title="Snapshots seen" note="The newest first, and the runs that they started.">
      {seen.length === 0 ? (
        <p class="note">None yet.</p>
      ) : (
        <table class="tbl cards">
          <thead>
            <tr>
              <th scope="col">Snapshot</th>
              <th scope="col">Seen</th>
              <th scope="col">Made by</th>
              <th scope="col">Started</th>
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
                <td>
                  {row.started.length === 0 ? (
                    <span class="dim">nothing</span>
                  ) : (
                    row.started.map(({ run, first, keys }, place) => (
                      <>
                        {place > 0 && ", "}
                        <a href={runHref(run)}>
                          run {run}, {keys === 1 ? first : `${num(keys)} from ${first}`}
                        </a>
                      </>
                    ))
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
