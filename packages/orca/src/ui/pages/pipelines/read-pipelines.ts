import { datasetLinks } from "../../../state/pages/dataset-links.ts";
import { pipelineHistories, pipelineSummaries, type PipelineSummary } from "../../../state/pages/pipelines.ts";
import type { Asked } from "../../view.ts";
import { pipelineGraph, type PipelineGraph } from "./pipeline-graph.ts";
import { keysToCount, pipelineRow, statedPipeline, type PipelineRow, type StatedPipeline } from "./pipeline-rows.ts";
import { PIPELINE_STATES, type PipelineState } from "./pipeline-state.ts";

export interface PipelinesPage {
  readonly counts: Readonly<Record<PipelineState | "all", number>>;
  /** Whether there are more than were counted, which is done in the order of names. */
  readonly isMore: boolean;
  readonly state: PipelineState | null;
  /** Those that need someone first, or, where there are several pages, by name. */
  readonly order: "worst" | "name";
  readonly pipelines: readonly PipelineRow[];
  /** After which the next page begins. */
  readonly next: string | null;
  readonly graph: PipelineGraph;
}

/** So many have their state looked up. */
const STATED_MAX = 1_000;
/** A line is about 1.5 kB of page. */
const PAGE = 80;
const LINKS_MAX = 5_000;

export async function readPipelines({ database, now, query, keyCounts }: Asked): Promise<PipelinesPage> {
  const [wanted, after] = [query.oneOf("state", PIPELINE_STATES), query.text("after")];
  const [summaries, links] = await Promise.all([
    pipelineSummaries(database, { after: "", limit: STATED_MAX + 1 }),
    datasetLinks(database, LINKS_MAX),
  ]);
  const [at, some] = [now(), summaries.slice(0, STATED_MAX)];
  const keys = new Map(some.map((summary) => [summary.name, keysToCount(summary, at)]));
  const counted = async (pipelines: readonly PipelineSummary[]): Promise<readonly StatedPipeline[]> => {
    const counts = await keyCounts.of(pipelines.map(({ name }) => keys.get(name)!));
    return pipelines.map((summary, place) => statedPipeline(summary, keys.get(summary.name)!.due, counts[place]));
  };
  // What state months and days are in doesn't hang on how many of them are done, so that is counted of those alone that are listed.
  const isKeyed = ({ partitions }: PipelineSummary) => partitions.kind === "keyed";
  const ofNames = new Map((await counted(some.filter(isKeyed))).map((one) => [one.name, one]));
  const stated = some.map(
    (summary) => ofNames.get(summary.name) ?? statedPipeline(summary, keys.get(summary.name)!.due, undefined),
  );
  const isPaged = stated.length > PAGE;
  const listed = stated.filter(({ name, state }) => (wanted ?? state) === state && (!isPaged || name > (after ?? "")));
  const shown = (isPaged ? listed : worstFirst(listed)).slice(0, PAGE);
  const summaryOf = new Map(some.map((summary) => [summary.name, summary]));
  const names = shown.map(({ name }) => name);
  const [page, histories] = await Promise.all([
    counted(names.map((name) => summaryOf.get(name)!)),
    pipelineHistories(database, names),
  ]);
  return {
    counts: countsOf(stated),
    isMore: summaries.length > STATED_MAX,
    state: wanted ?? null,
    order: isPaged ? "name" : "worst",
    pipelines: page.map((one) => pipelineRow(one, histories.get(one.name))),
    next: listed.length > page.length ? page.at(-1)!.name : null,
    graph: pipelineGraph(worstFirst(stated), links, query.text("around")),
  };
}

function worstFirst(pipelines: readonly StatedPipeline[]): readonly StatedPipeline[] {
  return pipelines.toSorted((a, b) => PIPELINE_STATES.indexOf(a.state) - PIPELINE_STATES.indexOf(b.state));
}

function countsOf(pipelines: readonly StatedPipeline[]): PipelinesPage["counts"] {
  const of = (state: PipelineState) => pipelines.filter((pipeline) => pipeline.state === state).length;
  return {
    all: pipelines.length,
    failing: of("failing"),
    behind: of("behind"),
    running: of("running"),
    ok: of("ok"),
    paused: of("paused"),
    never: of("never"),
  };
}
