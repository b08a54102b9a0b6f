/** A pipeline's heading: how it stands, and what can be done with it. */
import { hrefWith, pipelineHref } from "../../look/addresses.ts";
import type { Frame } from "../../look/frame.ts";
import { Icon } from "../../look/icon.tsx";
import { LogIn } from "../../look/log-in.tsx";
import { Head } from "../../look/section.tsx";
import { Chip } from "../../look/state.tsx";
import { plural } from "../../look/text.ts";
import { units } from "../../look/units.ts";
import type { PipelineData } from "./read.ts";

export function PipelineHead({ data, frame }: { readonly data: PipelineData; readonly frame: Frame }) {
  return (
    <Head
      title={data.name}
      beside={<Chips data={data} />}
      actions={frame.mayAct ? <Actions data={data} /> : <LogIn frame={frame} />}
    />
  );
}

function Chips({ data }: { readonly data: PipelineData }) {
  const { running, queued, counts, partitions, pausedAt, runs, senseError, keysError } = data;
  const failed = counts.failed ?? 0;
  const cantBeAsked = (senseError ?? keysError) !== null;
  const isQuiet = running + queued + failed === 0 && !cantBeAsked;
  return (
    <>
      {pausedAt !== null && <Chip name="paused">Paused</Chip>}
      {running > 0 && (
        <Chip name="running">
          Running: {plural(running, "run")}
          {queued > 0 && `, ${upTo(queued)} queued`}
        </Chip>
      )}
      {running === 0 && queued > 0 && <Chip name="queued">{plural(queued, "run")} queued</Chip>}
      {failed > 0 && <Chip name="failed">{units(partitions.kind, failed)} failed</Chip>}
      {cantBeAsked && <Chip name="failing">Can't be asked</Chip>}
      {isQuiet && runs.length === 0 && <Chip name="never">Never run</Chip>}
      {isQuiet && pausedAt === null && runs.length > 0 && isAllDone(data) && <Chip name="ok">Up to date</Chip>}
    </>
  );
}

function isAllDone({ counts, total }: PipelineData): boolean {
  return (counts.done ?? 0) >= total;
}

/** Counts stop at a thousand. */
function upTo(count: number): string {
  return count > 1_000 ? "1,000+" : String(count);
}

function Actions({ data: { name, pausedAt, partitions, dated } }: { readonly data: PipelineData }) {
  const all = partitions.kind === "keyed" ? "@all" : dated?.due && `${dated.due.first}..${dated.due.last}`;
  return (
    <>
      <a class="btn pri" href={pipelineHref(name, "start")} data-confirm>
        Start a run
      </a>
      <form method="post" action={pipelineHref(name, pausedAt === null ? "pause" : "unpause")} class="inline">
        <button class="btn">{pausedAt === null ? "Pause" : "Unpause"}</button>
      </form>
      <details class="menu">
        <summary class="btn sq" aria-label="More">
          <Icon name="more" />
        </summary>
        <div>
          {all && (
            <a href={hrefWith(pipelineHref(name, "backfill"), { keys: all })} data-confirm>
              Backfill all that is not done
            </a>
          )}
          <a href="#versions">Compare versions</a>
        </div>
      </details>
    </>
  );
}
