/** What a pipeline's program knows of its code. */
import { describePipeline, type CodeHashes } from "../core/describe.ts";
import { tasksOf, type PipelineDefinition } from "../core/pipeline-definition.ts";
import { namedHashes, type Built } from "../registry/built.ts";
import type { Version } from "../state/versions.ts";

function codeOf(pipeline: PipelineDefinition, { registry }: Built): CodeHashes {
  const tasks = [...tasksOf(pipeline.steps).keys()];
  return namedHashes(
    registry,
    pipeline.steps.map((s) => s.name),
    tasks,
  );
}

/** What code a pipeline is, as its runs record it. */
export function versionOf(pipeline: PipelineDefinition, built: Built): Version {
  const { hash, steps } = codeOf(pipeline, built);
  const { repository, commit, dirty, locations } = built.source;
  const stepHashes = Object.fromEntries(steps.map((s) => [s.name, s.hash]));
  return { registryHash: hash, stepHashes, repository, commit, dirty, locations };
}

/** What `describe` shows. @param built undefined for a file that wasn't built. */
export function described(pipeline: PipelineDefinition, built: Built | undefined): object {
  if (built === undefined) return describePipeline(pipeline, null, null);
  return describePipeline(pipeline, codeOf(pipeline, built), built.source);
}
