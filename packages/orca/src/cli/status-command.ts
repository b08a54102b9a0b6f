/** `status`: how a run stands. */
import { OrcaError } from "../core/errors.ts";
import { textOfDuration } from "../core/duration.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { readRun, type AttemptRow, type RunDetail, type RunRow } from "../state/run-status.ts";
import type { Terminal } from "./command-line.ts";
import { openExisting } from "./database.ts";
import type { Environment } from "./environment.ts";
import { runNumber } from "./run-command.ts";
import { counted } from "./run-report.ts";

/** Writes a run's status. @param id the run's number, as text. */
export async function statusCommand(
  pipeline: PipelineDefinition,
  id: string,
  isJson: boolean,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const number = runNumber(id);
  await using open = await openExisting(environment, terminal);
  const run = await readRun(open.database, number, environment.ORCA_STALE_SECONDS * 1000);
  if (run.pipeline !== pipeline.name)
    throw new OrcaError("unknown-run", `run ${number} is one of ${run.pipeline}, not of ${pipeline.name}`);
  const whole = { ...run, steps: stepsOf(pipeline, run) };
  terminal.stdout.write(isJson ? `${JSON.stringify(whole, undefined, 2)}\n` : `${linesOf(whole).join("\n")}\n`);
}

interface StepLine {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** The pipeline's steps in order, with those that weren't reached; and the run's that other code had. */
function stepsOf(pipeline: PipelineDefinition, run: RunDetail): readonly StepLine[] {
  const total = (name: string) => (pipeline.steps.find((s) => s.name === name)?.kind === "gather" ? 1 : run.partitions);
  const names = new Set([...pipeline.steps.map((s) => s.name), ...Object.keys(run.steps)]);
  return Array.from(names, (name) => {
    const counts = run.steps[name] ?? {};
    const reached = Object.values(counts).reduce((sum, n) => sum + n, 0);
    const waiting = (counts.waiting ?? 0) + Math.max(0, total(name) - reached);
    return { name, counts: waiting > 0 ? { ...counts, waiting } : counts };
  });
}

function linesOf(run: Omit<RunDetail, "steps"> & { readonly steps: readonly StepLine[] }): readonly string[] {
  const { id, pipeline, status, partitions, first, last, code, isCancelling } = run;
  const span = partitions === 1 ? first : `${first} to ${last}`;
  const commit =
    code.commit === null ? "" : ` at ${code.commit.slice(0, 10)}${code.dirty === true ? " with changes" : ""}`;
  const width = Math.max(...run.steps.map((s) => s.name.length));
  return [
    `run ${id} of ${pipeline}: ${status}${isCancelling ? ", to be cancelled" : ""}${howLong(run)}`,
    `${counted(partitions, "partition")} (${span}), code ${code.hash}${commit}`,
    ...(run.error === null ? [] : [run.error]),
    ...(run.log === null ? [] : [`its process prints to ${run.log}`]),
    ...(run.heldBack === null || status !== "queued" ? [] : [`isn't started: ${run.heldBack}`]),
    ...run.steps.map(({ name, counts }) => `  ${name.padEnd(width)}  ${countsText(counts)}`),
    ...run.attempts.map(attemptLine),
    ...(run.hasMore ? ["  and more"] : []),
    ...(["failed", "cancelled", "stopped", "stale"].includes(status) ? [`resume ${id} goes on with it`] : []),
  ];
}

function howLong({ status, startedAt, endedAt, heardAt }: RunRow): string {
  const since = (at: Date) => textOfDuration((endedAt ?? new Date()).getTime() - at.getTime());
  if (status === "stale" || status === "stopped") return heardAt === null ? "" : `, silent for ${since(heardAt)}`;
  return startedAt === null ? "" : `, ${endedAt === null ? "for" : "in"} ${since(startedAt)}`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const order = ["succeeded", "failed", "running", "cancelled", "skipped", "waiting"];
  return order.flatMap((status) => (counts[status] === undefined ? [] : [`${counts[status]} ${status}`])).join(", ");
}

function attemptLine({ step, partition, attempt, status, error, log }: AttemptRow): string {
  const place = partition === null ? step : `${step} ${partition}`;
  const where = log === null ? "" : ` [${log}]`;
  return `  ${place} attempt ${attempt}: ${status}${error === null ? "" : `: ${error}`}${where}`;
}
