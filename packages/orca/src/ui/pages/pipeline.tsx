/** A pipeline: its steps, its partitions by their state, when it is due, its code and its newest runs. */
import { Crumb } from "../look/section.tsx";
import { view } from "../view.ts";
import { DatedSection } from "./pipeline/dated-section.tsx";
import { CantBeAsked } from "./pipeline/cant-be-asked.tsx";
import { PipelineFacts } from "./pipeline/facts.tsx";
import { PipelineHead } from "./pipeline/head.tsx";
import { FiresSection } from "./pipeline/fires-section.tsx";
import { RunsSection } from "./pipeline/runs-section.tsx";
import { SeenSection } from "./pipeline/seen-section.tsx";
import { VersionsSection } from "./pipeline/versions-section.tsx";
import { KeyedSection } from "./pipeline/keyed-section.tsx";
import { readPipeline, type PipelineData } from "./pipeline/read.ts";
import { StepsSection } from "./pipeline/steps.tsx";

export const pipelineView = view({
  path: "/pipelines/:name",
  read: readPipeline,
  show(data, frame, { query }) {
    const { name, running, queued, dated, keyed, keyList } = data;
    const isLive = running + queued > 0 || keyed?.isCounted === false;
    const topics = [`pipeline:${name}`, "queue:*"];
    return {
      title: name,
      at: "Pipelines",
      live: {
        topics: isLive ? [...topics, "run:*", `steps:${name}:*`] : topics,
        words: liveWords(data),
      },
      main: (
        <>
          <Crumb links={[["Pipelines", "/"]]} />
          <PipelineHead data={data} frame={frame} />
          <CantBeAsked data={data} frame={frame} />
          <PipelineFacts data={data} frame={frame} />
          <StepsSection data={data} />
          {dated !== null && <DatedSection data={data} dated={dated} frame={frame} query={query} />}
          {keyed !== null && keyList !== null && (
            <KeyedSection
              data={data}
              keyed={keyed}
              list={keyList}
              frame={frame}
              isOnward={(query.text("after") ?? query.text("from")) !== undefined}
            />
          )}
          <div class="cols">
            <div>
              <RunsSection data={data} frame={frame} />
              <SeenSection data={data} frame={frame} />
            </div>
            <div>
              <FiresSection data={data} frame={frame} />
              <VersionsSection data={data} frame={frame} />
            </div>
          </div>
        </>
      ),
    };
  },
});

function liveWords({ running, queued, keyed }: PipelineData): string {
  if (running > 0) return running === 1 ? "Live: a run is going on" : `Live: ${running} runs are going on`;
  if (queued > 0) return "Live: runs are queued";
  return keyed?.isCounted === false ? "Live: keys are being counted" : "Live: waiting for a run";
}
