/** Runs that are recorded, as `run` and `resume` keep them going: apart, so that a run in memory doesn't load what Postgres takes. */
import { randomUUID } from "node:crypto";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { keepRun as keep } from "../run/recorded-run.ts";
import type { InnerEnd, Supervisor, WaitingInner } from "../run/supervisor.ts";
import type { Database } from "../state/database.ts";
import type { OwnedRun } from "../state/runs.ts";
import { MachineSampler } from "../runners/machine-sample.ts";
import { RunMetrics } from "../run/metrics.ts";
import { folderOfRun } from "../run/logs/run-logs.ts";
import { KeptLogs } from "../run/logs/kept-logs.ts";
import { openDatabase } from "./database.ts";
import type { Environment } from "./environment.ts";
import { logPlaceIn } from "./log-place-in.ts";
import { needsDatabase } from "./run-command.ts";

export { claimRun } from "../state/claim.ts";
export { beginRun } from "../state/runs.ts";

/** What is kept going, and by what. */
export interface RunToKeep {
  readonly supervisor: Supervisor;
  /** The inner process that waits for the run. */
  readonly first: WaitingInner;
  readonly pipeline: PipelineDefinition;
  readonly environment: Environment;
  readonly warn: (sentence: string) => void;
  /** Whether it is made rather than claimed. */
  readonly isNew: boolean;
  /** Makes or claims it, for the owner that is given. */
  readonly take: (database: Database, owner: string) => Promise<OwnedRun>;
}

/** Keeps a run going to its end. */
export async function keepRun(toKeep: RunToKeep): Promise<InnerEnd> {
  const { supervisor, first, pipeline, environment, warn, isNew, take } = toKeep;
  await using open = await openDatabase(needsDatabase(environment), environment, warn, { make: isNew });
  const { database, url } = open;
  const run = await take(database, randomUUID());
  using _ = runMetrics(environment, pipeline.name, run.id);
  const staleMs = environment.ORCA_STALE_SECONDS * 1000;
  const logs = keptLogs(environment, pipeline.name, run.id, warn);
  return await keep(supervisor, first, { database, url, pipeline, run, staleMs, logs, warn });
}

/** Where there are logs: the machine's doings are beside them. */
function runMetrics(environment: Environment, pipeline: string, run: number): RunMetrics | undefined {
  const place = logPlaceIn(environment);
  if (place === undefined || environment.ORCA_SAMPLE_SECONDS === 0) return undefined;
  const folder = folderOfRun(place, pipeline, run);
  const sampler = new MachineSampler(place.folder);
  return new RunMetrics(folder, environment.ORCA_SAMPLE_SECONDS * 1000, () => sampler.sample());
}

function keptLogs(
  environment: Environment,
  pipeline: string,
  run: number,
  warn: (sentence: string) => void,
): KeptLogs | undefined {
  const place = logPlaceIn(environment);
  return place && new KeptLogs(place, { pipeline, run, warn, flushMs: environment.ORCA_LOG_FLUSH_SECONDS * 1000 });
}
