/** All rebuilds, and one with its levels. */
import { datasetHref, hrefWith, pipelineHref, rebuildHref, runHref } from "../look/addresses.ts";
import {
  listRebuilds,
  readRebuild,
  rebuildLevels,
  type LevelRow,
  type RebuildRow,
} from "../../state/pages/rebuilds.ts";
import { Meter } from "../drawings/meter.tsx";
import { Ask, AskDialog } from "../look/ask.tsx";
import { Name } from "../look/name.tsx";
import { Crumb, Facts, Head, Section } from "../look/section.tsx";
import { Chip, Mark, StateMark, type State } from "../look/state.tsx";
import { num, plural, span } from "../look/text.ts";
import { Time } from "../look/time.tsx";
import { idFrom } from "../query.ts";
import { view } from "../view.ts";

const [PAGE, LEVELS] = [20, 200];

export const rebuildsView = view({
  path: "/rebuilds",
  async read({ database, query }) {
    const rows = await listRebuilds(database, { before: query.id("before"), limit: PAGE + 1 });
    return { rebuilds: rows.slice(0, PAGE), before: rows.length > PAGE ? rows[PAGE - 1]!.id : null };
  },
  show({ rebuilds, before }, frame, { query }) {
    return {
      title: "Rebuilds",
      at: "Rebuilds",
      live:
        query.id("before") === undefined
          ? { topics: ["queue:*", "run:*"], words: "Live: changes arrive as they happen" }
          : undefined,
      main: (
        <>
          <Head title="Rebuilds" />
          <Section id="list" title="All rebuilds">
            {rebuilds.length === 0 ? (
              <p class="note">
                None yet. A dataset's page starts one: all that is made from some of its partitions is run anew.
              </p>
            ) : (
              <table class="tbl cards mid-rows" data-list>
                <thead>
                  <tr>
                    <th scope="col">Rebuild</th>
                    <th scope="col">State</th>
                    <th scope="col">From</th>
                    <th scope="col">Partitions</th>
                    <th scope="col" class="n">
                      Queued
                    </th>
                    <th scope="col">By</th>
                    <th scope="col">Asked</th>
                  </tr>
                </thead>
                <tbody>
                  {rebuilds.map((row) => (
                    <tr>
                      <th scope="row">
                        <a class="lead" href={rebuildHref(row.id)}>
                          {row.id}
                        </a>
                      </th>
                      <td>
                        <Mark {...markOf(row)} />
                      </td>
                      <td>
                        <a href={datasetHref(row.dataset)}>{row.dataset}</a>
                      </td>
                      <td class="mono wide">
                        <Name text={span(row.first, row.last)} />
                      </td>
                      <td class="n" data-l="Queued">
                        {num(row.levelsQueued)} of {num(row.levels)}
                        <Meter part={row.levelsQueued} whole={row.levels} />
                      </td>
                      <td>{row.askedBy}</td>
                      <td>
                        <Time at={row.createdAt} now={frame.now} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {before !== null && (
              <p class="pager">
                <span>The newest first</span>
                <a class="btn" href={hrefWith("/rebuilds", { before })}>
                  Older
                </a>
              </p>
            )}
          </Section>
        </>
      ),
    };
  },
});

export const rebuildView = view({
  path: "/rebuilds/:rebuild",
  async read({ database, part }) {
    const id = idFrom(part("rebuild"), "rebuild");
    const [rebuild, levels] = await Promise.all([readRebuild(database, id), rebuildLevels(database, id, LEVELS)]);
    return { ...rebuild, levelRows: levels };
  },
  show(data, frame) {
    const { id, status, levelRows } = data;
    const isLive = status === "running" || status === "stopped";
    const stoppedBy = levelRows.find((row) => row.stoppedBy !== null)?.stoppedBy ?? null;
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
                  {isLive && <Ask action={rebuildHref(id, "cancel")} dialog="cancel" label="Cancel rebuild" />}
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
                <>
                  <span class="mono">{span(data.first, data.last)}</span>
                  <br />
                  <small>{plural(data.partitions, "partition")}</small>
                </>,
              ],
              [
                "By",
                <>
                  {data.askedBy}
                  <br />
                  <small>
                    <Time at={data.createdAt} now={frame.now} />
                  </small>
                </>,
              ],
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

function markOf({ status }: Pick<RebuildRow, "status">) {
  switch (status) {
    case "running":
      return { name: "running", label: "Running" } as const;
    case "stopped":
      return { name: "failed", label: "Stopped: a run failed" } as const;
    case "succeeded":
      return { name: "ok", label: "Succeeded" } as const;
    case "cancelled":
      return { name: "cancelled", label: "Cancelled" } as const;
    default:
      return status satisfies never;
  }
}

function goesOnWords({ status, endedAt }: RebuildRow, stoppedBy: number | null): string {
  if (status === "cancelled" && stoppedBy !== null) return `when run ${stoppedBy} is resumed`;
  if (endedAt !== null) return "no more: it has ended";
  if (status === "stopped")
    return stoppedBy === null ? "when its runs have succeeded" : `when run ${stoppedBy} has succeeded`;
  return "with the next level when this one's runs have succeeded";
}
