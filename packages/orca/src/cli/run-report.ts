/** What `run` says at the end, for people and as JSON. */
import { inspect } from "node:util";
import { decode } from "@orcajs/dista";
import { textOfDuration } from "../core/duration.ts";
import type { Journal } from "../core/journal.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { RunEnd } from "../run/run-options.ts";

/** A step of a partition that failed, and why; or what failed outside of any step. */
export interface Failure {
  readonly step: string | undefined;
  readonly partition: string | undefined;
  readonly attempts: number | undefined;
  readonly status: "failed" | "timed-out" | "crashed";
  /** An error of Orca's has one. */
  readonly code: string | undefined;
  readonly error: string;
}

export interface RunSummary {
  readonly pipeline: PipelineDefinition;
  /** Its number, if it is recorded. */
  readonly run: number | undefined;
  readonly partitionCount: number;
  readonly end: RunEnd;
  /** Whether it was left to be resumed, rather than cancelled. */
  readonly isLeft: boolean;
  readonly elapsedMs: number;
  /** The first of them, and how many there are. */
  readonly failures: readonly Failure[];
  readonly failureCount: number;
  /** What the gather steps that nothing follows returned, of those that succeeded. */
  readonly outputs: readonly { readonly step: string; readonly output: unknown }[];
}

/** The gather steps that no other follows: what they return is what the run is for. */
export function lastGathers(pipeline: PipelineDefinition): readonly string[] {
  const followed = new Set(pipeline.steps.flatMap((s) => s.after));
  return pipeline.steps.filter((s) => s.kind === "gather" && !followed.has(s.name)).map((s) => s.name);
}

/** The outputs of the last gather steps that succeeded. */
export async function outputsOf(
  pipeline: PipelineDefinition,
  end: RunEnd,
  journal: Journal,
): Promise<RunSummary["outputs"]> {
  const succeeded = lastGathers(pipeline).filter(
    (name) => end.steps.find((s) => s.name === name)!.counts.succeeded === 1,
  );
  return await Promise.all(
    succeeded.map(async (step) => ({ step, output: decode(await journal.output(step, undefined)) })),
  );
}

/** The end of a run as lines. */
export function summaryLines({ run, end, isLeft, elapsedMs, failureCount, outputs }: RunSummary): readonly string[] {
  const results = outputs
    .filter(({ output }) => output !== undefined)
    .map(({ step, output }) => `${step} = ${inspect(output, { depth: 6, maxArrayLength: 100, breakLength: 120 })}`);
  const why = end.status === "failed" && failureCount > 0 ? `, ${counted(failureCount, "failure")}` : "";
  const how = run === undefined || end.status === "succeeded" ? "" : `; resume ${run} goes on with it`;
  return [...results, `${shownStatus(end, isLeft)} in ${textOfDuration(elapsedMs)}${why}${how}`];
}

/** The end of a run as JSON. */
export function summaryJson({
  pipeline,
  run,
  partitionCount,
  end,
  isLeft,
  elapsedMs,
  failures,
  failureCount,
  outputs,
}: RunSummary): object {
  return {
    pipeline: pipeline.name,
    run: run ?? null,
    status: shownStatus(end, isLeft),
    partitions: partitionCount,
    seconds: Math.round(elapsedMs) / 1000,
    steps: end.steps.map(({ name, counts }) => ({ name, ...counts })),
    failureCount,
    failures: failures.map(({ step = null, partition = null, attempts = null, status, code = null, error }) => {
      return { step, partition, attempts, status, code, error };
    }),
    outputs: outputs.map(({ step, output }) => ({ step, output: plain(output) ?? null })),
  };
}

function shownStatus({ status }: RunEnd, isLeft: boolean): RunEnd["status"] | "stopped" {
  return isLeft ? "stopped" : status;
}

/** `3 partitions`, `1 partition`. */
export function counted(n: number, what: string): string {
  const digits = String(n).replaceAll(/\B(?=(\d{3})+$)/g, ","); // the first toLocaleString takes 13 ms
  return `${digits} ${what}${n === 1 ? "" : "s"}`;
}

/** A storable value as JSON that other programs can read: what JSON lacks becomes the nearest that it has. */
function plain(v: unknown): unknown {
  if (typeof v === "bigint" || (typeof v === "number" && !Number.isFinite(v))) return String(v);
  if (v instanceof Date) return v.toJSON();
  if (v instanceof Uint8Array) return Buffer.from(v).toString("base64");
  if (v instanceof Map) return Array.from(v, ([key, value]) => [plain(key), plain(value)]);
  if (v instanceof Set || Array.isArray(v)) return Array.from(v as Iterable<unknown>, plain);
  if (v === null || typeof v !== "object") return v;
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]));
}
