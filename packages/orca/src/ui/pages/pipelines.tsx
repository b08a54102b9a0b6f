/** The first page: all pipelines, and what each is doing. */
import { NameFilter } from "../look/name-filter.tsx";
import { Pager } from "../look/pager.tsx";
import { hrefWith } from "../look/addresses.ts";
import type { Frame } from "../look/frame.ts";
import { Icon } from "../look/icon.tsx";
import { Head, Section } from "../look/section.tsx";
import { view, type Asked } from "../view.ts";
import { FirstSteps } from "./pipelines/first-steps.tsx";
import { PipelineGraphDrawing } from "./pipelines/graph-drawing.tsx";
import { PipelineLine } from "./pipelines/pipeline-line.tsx";
import { PIPELINE_STATES, PIPELINE_STATE_WORDS } from "./pipelines/pipeline-state.ts";
import { readPipelines, type PipelinesPage } from "./pipelines/read-pipelines.ts";

export const pipelinesView = view({
  path: "/",
  read: readPipelines,
  show(page, frame, { query }) {
    const topics = ["pipeline:*", "run:*", "queue:*"];
    if (page.counts.all === 0)
      return {
        title: "Pipelines",
        at: "Pipelines",
        live: { topics, words: "Live: waiting for a pipeline" },
        main: <FirstSteps title="No pipelines yet" frame={frame} isWaiting />,
      };
    return {
      title: "Pipelines",
      at: "Pipelines",
      live: { topics, words: "Live: changes arrive as they happen" },
      main: <Pipelines page={page} frame={frame} query={query} />,
    };
  },
});

/** The same words when there are pipelines already. */
export const registerView = view({
  path: "/register",
  read: async () => ({}),
  show: (_, frame) => ({
    title: "Register a pipeline",
    at: "Pipelines",
    main: <FirstSteps title="Register a pipeline" frame={frame} isWaiting={false} />,
  }),
});

function Pipelines({
  page,
  frame,
  query,
}: {
  readonly page: PipelinesPage;
  readonly frame: Frame;
  readonly query: Asked["query"];
}) {
  return (
    <>
      <Head
        title="Pipelines"
        beside={<Counts page={page} />}
        actions={
          <>
            <NameFilter list="list" />
            <a class="btn" href="/register">
              Register a pipeline
            </a>
          </>
        }
      />
      <GraphSection page={page} wanted={query.text("around")} />
      <ListSection page={page} now={frame.now} />
    </>
  );
}

function Counts({ page: { counts, isMore, state } }: { readonly page: PipelinesPage }) {
  return (
    <nav class="counts" aria-label="Filter by state">
      <a href="/" aria-current={state === null ? "true" : undefined}>
        <b>
          {counts.all}
          {isMore && "+"}
        </b>{" "}
        all
      </a>
      {PIPELINE_STATES.map((one) => (
        <a href={`/?state=${one}`} class={`st-${one}`} aria-current={state === one ? "true" : undefined}>
          <Icon name={one} />
          <b>{counts[one]}</b> {PIPELINE_STATE_WORDS[one].toLowerCase()}
        </a>
      ))}
    </nav>
  );
}

function GraphSection({
  page: { graph },
  wanted,
}: {
  readonly page: PipelinesPage;
  readonly wanted: string | undefined;
}) {
  const isPart = graph.around !== null;
  const note = isPart
    ? `What is two steps around ${graph.around}, of ${graph.nodeCount} pipelines and datasets.`
    : "A box does work, a rounded pill is data. A dashed pill is not made by Orca; two arrows: read and written by one pipeline.";
  return (
    <Section
      id="graph"
      title="Pipelines and datasets"
      note={wanted !== undefined && wanted !== graph.around ? `Nothing is named ${wanted}. ${note}` : note}
      tools={
        (isPart || graph.nodes.length > 60) && (
          <form class="bar-f">
            <input
              class="in"
              type="search"
              name="around"
              value={graph.around ?? ""}
              aria-label="Pipeline or dataset to look around"
              placeholder="Look around…"
            />
            <button class="btn">Show</button>
          </form>
        )
      }
    >
      <PipelineGraphDrawing graph={graph} />
    </Section>
  );
}

function ListSection({ page, now }: { readonly page: PipelinesPage; readonly now: Date }) {
  const { pipelines, state, order, next } = page;
  const title = state === null ? "All pipelines" : `Pipelines: ${PIPELINE_STATE_WORDS[state].toLowerCase()}`;
  return (
    <Section
      id="list"
      title={title}
      note={order === "name" ? "In the order of names." : "Those that need someone come first."}
    >
      {pipelines.length === 0 ? (
        <p class="dim">None.</p>
      ) : (
        <table class="tbl mid-rows cards pipes fixed" data-list>
          <thead>
            <tr>
              <th scope="col" class="w-name">
                Pipeline
              </th>
              <th scope="col" class="w-state">
                State
              </th>
              <th scope="col" class="w-strip">
                Last 20 runs
              </th>
              <th scope="col" class="w-last">
                Last run
              </th>
              <th scope="col">Next</th>
              <th scope="col" class="n w-done">
                Done
              </th>
              <th scope="col" class="n">
                Lag
              </th>
              <th scope="col" class="n w-num w-hide">
                Live
              </th>
              <th scope="col" class="n w-num w-hide">
                Queued
              </th>
            </tr>
          </thead>
          <tbody>
            {pipelines.map((row) => (
              <PipelineLine row={row} now={now} />
            ))}
          </tbody>
        </table>
      )}
      {next !== null && (
        <Pager label="Next" href={hrefWith("/", { state: state ?? undefined, after: next })}>
          {pipelines.length} from {pipelines[0]!.name} on
        </Pager>
      )}
    </Section>
  );
}
