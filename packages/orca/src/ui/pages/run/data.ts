/** What a run's page shows: what its rows are as JSON. */
import { countBins, type BinCounts, type RunBins } from "../../../state/pages/run-bins.ts";
import { listPartitions } from "../../../state/pages/run-partitions.ts";
import { readRunHead, type RunHead } from "../../../state/pages/run-head.ts";
import { readRecords, type RunRecords } from "../../../state/pages/run-records.ts";
import { readRetried, type AttemptSpan } from "../../../state/pages/run-timeline.ts";
import { readMetrics, type RunMetrics } from "../../../logs/machine-metrics.ts";
import { placeOfRun } from "../../../logs/run-files.ts";
import {
  readCells,
  readCellsOf,
  readErrors,
  type RunStep,
  type StepCell,
  type StepError,
} from "../../../state/pages/run-steps.ts";
import type { Asked } from "../../view.ts";

type StepStatus = StepCell["status"];
/** How many steps of partitions there are of each state. */
type StatusCounts = Readonly<Record<StepStatus, number>>;

export interface RunData {
  readonly run: RunHead;
  readonly steps: readonly (RunStep & { readonly counts: StatusCounts })[];
  /** Of all steps of all partitions, reached or not. */
  readonly total: number;
  readonly counts: StatusCounts;
  /** The steps of each partition that were reached, of a run of few; of another, its gather steps. */
  readonly cells: readonly StepCell[];
  /** Of a run of many partitions. */
  readonly bins: RunBins | null;
  /** The partitions that need someone, or that are asked for, of a run of many. */
  readonly listed: ListedPartitions | null;
  /** What failed: the first of it. */
  readonly failed: readonly (StepCell & { readonly error: string | null })[];
  /** The attempts of steps that were tried more than once, of a run of few partitions. */
  readonly retried: readonly AttemptSpan[];
  /** What its machines did; null where that isn't known. */
  readonly metrics: RunMetrics | null;
  readonly records: RunRecords;
}

export interface ListedPartitions {
  readonly status: "failed" | "running" | "all";
  readonly partitions: readonly string[];
  readonly cells: readonly StepCell[];
  readonly errors: readonly StepError[];
  /** The next page's `after`; null on the last. */
  readonly after: string | null;
}

const FAILED_MAX = 3;
const LISTED_MAX = 50;
const STATUSES: readonly StepStatus[] = ["waiting", "running", "succeeded", "failed", "skipped", "cancelled"];

/** @throws OrcaError `unknown-run`, `usage` */
export async function readRunData(asked: Asked, id: number): Promise<RunData> {
  const { database, now, staleMs } = asked;
  const [run, records] = await Promise.all([
    readRunHead(database, id, { now: now(), staleMs }),
    readRecords(database, id),
  ]);
  const stepsOf = run.keys === null ? await ofMany(asked, run) : await ofFew(asked, run);
  const { bins, listed, cells } = stepsOf;
  const [failures, retried, metrics] = await Promise.all([
    firstFailures(asked, run, cells, bins),
    readRetried(database, id, cells),
    metricsOf(asked, run),
  ]);
  const steps = run.steps.map((step) => ({ ...step, counts: countsOf(step.name, cells, bins?.counts ?? []) }));
  const counts = sumOf(steps.map((step) => step.counts));
  const total = steps.reduce((sum, step) => sum + (step.kind === "gather" ? 1 : run.partitions), 0);
  return { run, steps, total, counts, cells, bins, listed, failed: failures, retried, metrics, records };
}

async function metricsOf({ logs, now }: Asked, run: RunHead): Promise<RunMetrics | null> {
  const place = placeOfRun({ pipeline: run.pipeline, run: run.id, log: run.log }, logs);
  if (place === undefined || run.startedAt === null) return null;
  const metrics = await readMetrics(place, { from: run.startedAt, to: run.endedAt ?? now() }, logs);
  return metrics.machines.length === 0 ? null : metrics;
}

type StepsOfRun = Pick<RunData, "cells" | "bins" | "listed">;

async function ofFew({ database }: Asked, run: RunHead): Promise<StepsOfRun> {
  return { cells: await readCells(database, run.id), bins: null, listed: null };
}

async function ofMany({ database, query }: Asked, run: RunHead): Promise<StepsOfRun> {
  const mapped = run.steps.filter((step) => step.kind === "mapped").map((step) => step.name);
  const gathers = run.steps.filter((step) => step.kind === "gather").map((step) => step.name);
  const state = `${run.status} ${run.starts} ${run.endedAt?.getTime()}`;
  const [bins, cells] = await Promise.all([
    countBins(database, { run: run.id, steps: mapped, state, hasEnded: run.endedAt !== null }),
    readCellsOf(database, run.id, gathers, [""]),
  ]);
  const usual = bins.counts.some((bin) => bin.failed > 0) ? "failed" : run.endedAt === null ? "running" : "all";
  const status = query.oneOf("partitions", ["failed", "running", "all"] as const) ?? usual;
  const page = { prefix: query.text("prefix") ?? "", after: query.text("after") ?? "", limit: LISTED_MAX };
  const found = await listPartitions(database, bins, { run: run.id, steps: mapped, status, ...page });
  const partitions = found.slice(0, LISTED_MAX);
  const of = await readCellsOf(database, run.id, mapped, partitions);
  const errors = await readErrors(
    database,
    run.id,
    of.filter((cell) => cell.status === "failed"),
  );
  const after = found.length > LISTED_MAX ? partitions.at(-1)! : null;
  return { cells, bins, listed: { status, partitions, cells: of, errors, after } };
}

async function firstFailures(
  { database }: Asked,
  run: RunHead,
  cells: readonly StepCell[],
  bins: RunBins | null,
): Promise<RunData["failed"]> {
  const failed = cells.filter((cell) => cell.status === "failed");
  if (bins?.counts.some((bin) => bin.failed > 0) === true) {
    const steps = run.steps.filter((step) => step.kind === "mapped").map((step) => step.name);
    const asked = { run: run.id, steps, status: "failed", prefix: "", after: "", limit: FAILED_MAX } as const;
    const of = await readCellsOf(database, run.id, steps, await listPartitions(database, bins, asked));
    failed.unshift(...of.filter((cell) => cell.status === "failed"));
  }
  const first = failed.slice(0, FAILED_MAX);
  const errors = await readErrors(database, run.id, first);
  const errorOf = (cell: StepCell) =>
    errors.find((error) => error.step === cell.step && error.partition === cell.partition)?.error ?? null;
  return first.map((cell) => ({ ...cell, error: errorOf(cell) }));
}

function countsOf(step: string, cells: readonly StepCell[], bins: readonly BinCounts[]): StatusCounts {
  const ofCells = cells.filter((cell) => cell.step === step);
  const ofBins = bins.filter((bin) => bin.step === step);
  return countsBy((status) => {
    const few = ofCells.filter((cell) => cell.status === status).length;
    return ofBins.reduce((sum, bin) => sum + bin[status], few);
  });
}

function sumOf(all: readonly StatusCounts[]): StatusCounts {
  return countsBy((status) => all.reduce((sum, counts) => sum + counts[status], 0));
}

function countsBy(count: (status: StepStatus) => number): StatusCounts {
  return Object.fromEntries(STATUSES.map((status) => [status, count(status)])) as Record<StepStatus, number>;
}
