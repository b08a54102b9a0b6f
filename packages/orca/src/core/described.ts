/** A pipeline as its program describes it: all that a scheduler, which links no pipeline, knows of it. */
import type { Locations } from "./code-locations.ts";
import type { PipelineDatasets } from "./dataset-graph.ts";
import { OrcaError } from "./errors.ts";

/** Of a pipeline that was built. `describePipeline` has what it is made from. */
export interface DescribedPipeline extends PipelineDatasets {
  readonly hash: string;
  readonly partitions:
    | { readonly kind: "monthly" | "daily"; readonly start: string }
    | { readonly kind: "keyed"; readonly dataset: string; readonly column: string };
  readonly schedule: { readonly cron: string; readonly timeZone: string } | null;
  readonly fills: "current" | "previous" | null;
  readonly catchup: boolean | null;
  readonly keysPerRun: number | null;
  readonly maxRuns: number;
  readonly runRetries: number;
  readonly steps: readonly DescribedStep[];
  readonly source: {
    readonly repository: string | null;
    readonly commit: string | null;
    readonly dirty: boolean | null;
    readonly locations: Locations;
  } | null;
}

interface DescribedStep {
  readonly name: string;
  readonly kind: "mapped" | "gather";
  /** The steps that it follows. */
  readonly after: readonly string[];
  readonly hash: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * What a program printed, if it is the description of a pipeline that was built.
 *
 * @param program where it came from, for the sentence.
 * @throws OrcaError `not-a-program`
 */
export function describedPipeline(text: string, program: string): DescribedPipeline {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notAProgram(program, "it prints something that isn't JSON when it is asked to describe itself");
  }
  const given = json as Partial<DescribedPipeline> | null;
  if (typeof given !== "object" || given === null || typeof given.pipeline !== "string" || !Array.isArray(given.steps))
    throw notAProgram(program, "what it describes is no pipeline");
  if (typeof given.hash !== "string" || given.steps.some((step) => typeof step.hash !== "string"))
    throw notAProgram(
      program,
      "it wasn't built, so that nothing tells its code from other code: build it with orca build",
    );
  return given as DescribedPipeline;
}

function notAProgram(program: string, why: string): OrcaError {
  return new OrcaError("not-a-program", `${program} isn't a pipeline's program: ${why}`);
}
