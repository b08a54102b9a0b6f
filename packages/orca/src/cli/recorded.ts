/** Runs that are recorded, as `run` and `resume` keep them going: apart, so that a run in memory doesn't load what Postgres takes. */
import { randomUUID } from "node:crypto";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { keepRun as keep } from "../run/recorded-run.ts";
import type { InnerEnd, Supervisor } from "../run/supervisor.ts";
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

/** Keeps a run going to its end. @param isNew whether it is made rather than claimed. @param take makes or claims it, for the owner that is given. */
export async function keepRun(
  supervisor: Supervisor,
  pipeline: PipelineDefinition,
  environment: Environment,
  warn: (sentence: string) => void,
  isNew: boolean,
  take: (database: Database, owner: string) => Promise<OwnedRun>,
): Promise<InnerEnd> {
  const opening = openDatabase(needsDatabase(environment), environment, warn, { make: isNew });
  const staleMs = environment.ORCA_STALE_SECONDS * 1000;
  let metrics: Disposable | undefined;
  const taking = opening.then(async ({ database, url }) => {
    const run = await take(database, randomUUID());
    metrics = runMetrics(environment, pipeline.name, run.id);
    return { database, url, pipeline, run, staleMs, logs: keptLogs(environment, pipeline.name, run.id, warn), warn };
  });
  try {
    return await keep(supervisor, taking);
  } finally {
    metrics?.[Symbol.dispose]();
    await opening.then(
      (open) => open[Symbol.asyncDispose](),
      () => {},
    );
  }
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
