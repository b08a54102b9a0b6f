/** A pipeline's steps, each over all its partitions. */
import { hrefWith, pipelineHref, runHref } from "../../look/addresses.ts";
import { KEY_STATES } from "../../../state/pages/key-states.ts";
import { StepGraph } from "../../drawings/step-graph.tsx";
import type { Part } from "../../drawings/share.tsx";
import { countWords, shownState } from "../../look/partition-state.tsx";
import { CodePlaces } from "../../look/code-places.tsx";
import { Section } from "../../look/section.tsx";
import { num } from "../../look/text.ts";
import { unitOf } from "../../look/units.ts";
import type { PipelineData } from "./read.ts";

export function StepsSection({
  data: { name, steps, tasks, code, total, partitions },
}: {
  readonly data: PipelineData;
}) {
  const hasGather = steps.some((step) => step.kind === "gather");
  const all = `Each over the ${num(total)} ${unitOf(partitions.kind)}${total === 1 ? "" : "s"} that are ${partitions.kind === "keyed" ? "known" : "due"}.`;
  return (
    <Section
      id="steps"
      title="Steps"
      note={`${all}${hasGather ? " A double edge gathers every partition of a run." : ""}`}
    >
      <StepGraph
        label={`Steps of ${name}`}
        steps={steps.map((step) => ({
          name: step.name,
          kind: step.kind,
          after: step.after,
          href:
            step.kind === "mapped" ? hrefWith(pipelineHref(name), { step: step.name }, "#partitions") : gatherRun(step),
          words: wordsOf(step),
          parts: partsOf(step),
        }))}
      />
      <CodePlaces code={code} places={[...steps, ...tasks]} />
    </Section>
  );
}

type Step = PipelineData["steps"][number];

function gatherRun({ lastGatheredIn }: Step): string {
  return lastGatheredIn === null ? "#runs" : runHref(lastGatheredIn);
}

function wordsOf({ counts, lastGatheredIn }: Step): string {
  if (counts !== null) {
    const { missing: _, queued: __, ...told } = counts;
    return countWords(told);
  }
  return lastGatheredIn === null ? "gather, not done yet" : `gather, done in ${lastGatheredIn}`;
}

/** What hasn't been reached is the rest. */
function partsOf({ counts, lastGatheredIn }: Step): readonly Part[] {
  if (counts === null) return [[lastGatheredIn === null ? "none" : "ok", 1]];
  const rest = (counts.missing ?? 0) + (counts.queued ?? 0);
  const told = KEY_STATES.filter((state) => state !== "missing" && state !== "queued");
  return [...told.map((state) => [shownState(state), counts[state] ?? 0] as const), ["none", rest]];
}
