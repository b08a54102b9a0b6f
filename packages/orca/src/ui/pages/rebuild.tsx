/** A rebuild: its levels, and what it goes on with. */
import { Two } from "../look/two.tsx";
import { datasetHref, pipelineHref, rebuildHref, runHref } from "../look/addresses.ts";
import { readRebuild, rebuildLevels, type LevelRow, type RebuildRow } from "../../state/pages/rebuilds.ts";
import { Meter } from "../drawings/meter.tsx";
import { Ask, AskDialog } from "../look/ask.tsx";
import { Name } from "../look/name.tsx";
import { Crumb, Facts, Head, Section } from "../look/section.tsx";
import { Chip, StateMark, type State } from "../look/state.tsx";
import { num, plural, span } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { idFrom } from "../query.ts";
import { view } from "../view.ts";
import { markOf } from "./rebuild/state.ts";

const LEVELS = 200;

export const rebuildView = view({
  path: "/rebuilds/:rebuild",
  async read({ database, part }) {
    const id = idFrom(part("rebuild"), "rebuild");
    const [rebuild, levels] = await Promise.all([readRebuild(database, id), rebuildLevels(database, id, LEVELS)]);
    return { ...rebuild, levelRows: levels };
  },
  show(data, frame) {
    const { id, status, levelRows } = data;
    const isGoingOn = status === "running" || status === "stopped";
    const stoppedBy = levelRows.find((row) => row.stoppedBy !== null)?.stoppedBy ?? null;
    const isLive = isGoingOn || (status === "cancelled" && isStopping(levelRows));
    const mark = markOf(data);
    return {
      title: `Rebuild ${id}`,
      at: "Rebuilds",
      live: isLive ? { topics: ["queue:*", "run:*"], words: "Live: changes arrive as they happen" } : undefined,
      main: (
        <>
          <Crumb links={[["Rebuilds", "/rebuilds"]]} />
          <Head
            title={`Rebuild ${id}`}
            beside={<Chip name={mark.name}>{mark.label}</Chip>}
            actions={
              frame.mayAct && (
                <>
                  {isGoingOn && <Ask action={rebuildHref(id, "cancel")} dialog="cancel" label="Cancel rebuild" />}
                  {stoppedBy !== null && (status === "stopped" || status === "cancelled") && (
                    <form method="post" action={runHref(stoppedBy, "resume")} class="inline">
                      <button class="btn pri">Resume run {stoppedBy}</button>
                    </form>
                  )}
                </>
              )
            }
          />
          <Facts
            pairs={[
              ["From", <a href={datasetHref(data.dataset)}>{data.dataset}</a>],
              [
                "Partitions",
                <Two
                  first={<span class="mono">{span(data.first, data.last)}</span>}
                  second={plural(data.partitions, "partition")}
                />,
              ],
              ["By", <Two first={data.askedBy} second={<Time at={data.createdAt} now={frame.now} />} />],
              ["Goes on", goesOnWords(data, stoppedBy)],
            ]}
          />
          <Section
            id="levels"
            title="Levels"
            note="A level is queued once every run of the level before it has succeeded."
          >
            <table class="tbl cards mid-rows">
              <thead>
                <tr>
                  <th scope="col">Level</th>
                  <th scope="col">State</th>
                  <th scope="col">Pipeline</th>
                  <th scope="col">Partitions</th>
                  <th scope="col" class="n">
                    Runs done
                  </th>
                </tr>
              </thead>
              <tbody>
                {levelRows.map((row) => (
                  <LevelLine row={row} />
                ))}
              </tbody>
            </table>
          </Section>
          <AskDialog
            id="cancel"
            title={`Cancel rebuild ${id}?`}
            action={rebuildHref(id, "cancel")}
            keep="Let it go on"
            act="Cancel rebuild"
          >
            <p>
              No further level is queued, its queued runs won't start, and those that are running are asked to stop.
              What is done stays done; it goes on when a run of it is resumed.
            </p>
          </AskDialog>
        </>
      ),
    };
  },
});

/** Whether runs of one that was cancelled haven't ended yet, or not for good. */
function isStopping(levels: readonly LevelRow[]): boolean {
  return levels.some(
    ({ running, queued, failed, cancelled, stoppedBy }) =>
      running + queued > 0 || (failed + cancelled > 0 && stoppedBy === null),
  );
}

function LevelLine({ row }: { readonly row: LevelRow }) {
  const state = levelState(row);
  return (
    <tr>
      <th scope="row">{row.level}</th>
      <td>{state === "missing" ? <StateMark state={state} label="Not queued yet" /> : <StateMark state={state} />}</td>
      <td>
        <a href={pipelineHref(row.pipeline)}>{row.pipeline}</a>
      </td>
      <td class="mono">
        <Name text={span(row.first, row.last)} />
      </td>
      <td class="n">
        {num(row.succeeded)} of {num(row.runs)}
        <Meter part={row.succeeded} whole={row.runs} />
      </td>
    </tr>
  );
}

function levelState({ queuedAt, running, queued, failed, cancelled }: LevelRow): State {
  if (queuedAt === null) return "missing";
  if (failed > 0) return "failed";
  if (running > 0) return "running";
  if (queued > 0) return "queued";
  return cancelled > 0 ? "cancelled" : "ok";
}

function goesOnWords({ status, endedAt }: RebuildRow, stoppedBy: number | null): string {
  if (status === "cancelled" && stoppedBy !== null) return `when run ${stoppedBy} is resumed`;
  if (endedAt !== null) return "no more: it has ended";
  if (status === "stopped")
    return stoppedBy === null ? "when its runs have succeeded" : `when run ${stoppedBy} has succeeded`;
  return "with the next level when this one's runs have succeeded";
}
