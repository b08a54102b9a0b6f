/** `fires`: when a pipeline is due next, and which partition each fire fills. */
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { partitionOfFire } from "../core/schedule/fire-partition.ts";
import { fires } from "../core/schedule/fires.ts";
import { instantFrom } from "./environment.ts";
import type { Terminal } from "./command-line.ts";

/** The most fires that are listed at once. */
const COUNT_MAX = 10_000;

export interface FiresArguments {
  /** How many, as it was written. */
  readonly count: string;
  /** The instant after which, as it was written. */
  readonly after: string | undefined;
  readonly isJson: boolean;
}

export function firesCommand(
  pipeline: PipelineDefinition,
  given: FiresArguments,
  now: Date,
  { stdout }: Terminal,
): void {
  const count = wholeNumber(given.count) ?? 0;
  if (count < 1 || count > COUNT_MAX)
    throw new OrcaError("usage", `'${given.count}' isn't how many fires to list: give a number from 1 to ${COUNT_MAX}`);
  const after = given.after === undefined ? now : instantFrom(given.after);
  if (after === undefined)
    throw new OrcaError("usage", `'${given.after}' isn't an instant: write --after 2024-01-31T09:30:00Z`);
  const rows = firesOf(pipeline, after, count);
  if (given.isJson) stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else if (pipeline.schedule === undefined) stdout.write(`${pipeline.name} has no schedule\n`);
  else
    stdout.write(
      rows.map(({ at, fills }) => `${at}  ${fills === null ? "fills nothing" : `fills ${fills}`}\n`).join(""),
    );
}

interface Fire {
  /** In UTC, to the second. */
  readonly at: string;
  /** Null where it is before the pipeline's first partition. */
  readonly fills: string | null;
}

function firesOf({ schedule, partitions, fills }: PipelineDefinition, after: Date, count: number): readonly Fire[] {
  if (schedule === undefined || partitions.kind === "keyed") return [];
  return fires(schedule, after, count).map((at) => {
    const partition = partitionOfFire(partitions.kind, fills, schedule, at);
    return {
      at: at.toISOString().replace(".000Z", "Z"),
      fills: partition === undefined || partition < partitions.start ? null : partition,
    };
  });
}
