/** `orca runs`: the runs of all pipelines. */
import { textOfDuration } from "../core/duration.ts";
import { listRuns, type RunRow } from "../state/run-status.ts";
import type { Terminal } from "./command-line.ts";
import { openExisting } from "./database.ts";
import type { Environment } from "./environment.ts";
import { counted } from "./run-report.ts";

export interface RunsArguments {
  /** The name of the pipeline whose runs are shown. */
  readonly pipeline: string | undefined;
  readonly limit: number;
  /** Only runs with smaller numbers. */
  readonly before: number | undefined;
  readonly isJson: boolean;
}

/** Writes the newest runs. */
export async function runsCommand(given: RunsArguments, environment: Environment, terminal: Terminal): Promise<void> {
  await using open = await openExisting(environment, terminal);
  const { pipeline, limit, before, isJson } = given;
  const staleMs = environment.ORCA_STALE_SECONDS * 1000;
  const runs = await listRuns(open.database, {
    limit,
    staleMs,
    ...(pipeline === undefined ? {} : { pipeline }),
    ...(before === undefined ? {} : { before }),
  });
  const text = isJson ? JSON.stringify(runs, undefined, 2) : runs.length === 0 ? "no runs" : tableOf(runs).join("\n");
  terminal.stdout.write(`${text}\n`);
}

function tableOf(runs: readonly RunRow[]): readonly string[] {
  const rows = [["run", "pipeline", "status", "partitions", "started", "took"], ...runs.map(cellsOf)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

function cellsOf({
  id,
  pipeline,
  status,
  partitions,
  first,
  last,
  startedAt,
  endedAt,
  isCancelling,
  heldBack,
}: RunRow): string[] {
  const span = partitions === 1 ? first : `${first}..${last} (${counted(partitions, "partition")})`;
  const started = startedAt === null ? "" : `${startedAt.toISOString().slice(0, 19).replace("T", " ")}Z`;
  const took = startedAt === null || endedAt === null ? "" : textOfDuration(endedAt.getTime() - startedAt.getTime());
  const more = isCancelling ? ", stopping" : status === "queued" && heldBack !== null ? ", held back" : "";
  return [String(id), pipeline, `${status}${more}`, span, started, took];
}
