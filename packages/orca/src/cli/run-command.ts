/** `run` and `resume`: check what they are given, and run the pipeline in a process of its own. */
import { checkedPartitions } from "../core/partition-list.ts";
import { OrcaError } from "../core/errors.ts";
import { isSupervised } from "../registry/supervised.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { DatabaseUrl } from "../postgres/database-url.ts";
import type { InnerEnd, Supervisor, WaitingInner } from "../run/supervisor.ts";
import type { Claim } from "../state/claim.ts";
import type { Version } from "../state/versions.ts";
import { boundOutput } from "./bounded-output.ts";
import type { Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { keysListed, keysToRun } from "./keys-given.ts";
import type { RunToKeep } from "./recorded.ts";
import { superviseRun } from "./run-outside.ts";

/** What a pipeline's program runs. */
export interface Runnable {
  readonly pipeline: PipelineDefinition;
  /** What code it is; undefined for a file that wasn't built, whose runs can't be recorded. */
  readonly version: Version | undefined;
}

/** How it is run. */
export interface RunManner {
  readonly concurrency: number | undefined;
  readonly isJson: boolean;
}

/**
 * Runs over partitions to the end, and exits by how the run ended. It is recorded if there is a database to record it in.
 *
 * @param partitions as a person lists them: `2024-01..2024-03`, names, `@all`, `@file:<path>`.
 */
export async function runCommand(
  runnable: Runnable,
  partitions: string,
  manner: RunManner,
  environment: Environment,
  terminal: Terminal,
): Promise<never> {
  const { pipeline } = runnable;
  const isRecorded = environment.ORCA_DATABASE_URL !== undefined;
  if (isSupervised())
    return await inside(runnable, manner, environment, terminal, () => keysToRun(pipeline, partitions, environment));
  // a run in memory reads keys of a table in its own process
  const keys = isRecorded ? await keysToRun(pipeline, partitions, environment) : keysListed(pipeline, partitions);
  return await superviseRun(manner, environment, terminal, async (supervisor, warn) => {
    if (!isRecorded) return await supervisor.run();
    const version = versionOf(runnable);
    return await keeping(supervisor, async (first, { keepRun, beginRun }) => {
      const take: RunToKeep["take"] = async (database, owner) =>
        await beginRun(database, { pipeline: pipeline.name, version, keys: keys!, owner });
      return await keepRun({ supervisor, first, pipeline, environment, warn, isNew: true, take });
    });
  });
}

/** Goes on with a run that has stopped before its end. @param id the run's number, as text. */
export async function resumeCommand(
  runnable: Runnable,
  id: string,
  how: Pick<Claim, "allowsNewCode" | "launch">,
  manner: RunManner,
  environment: Environment,
  terminal: Terminal,
): Promise<never> {
  const number = runNumber(id);
  needsDatabase(environment);
  if (isSupervised()) return await inside(runnable, manner, environment, terminal, async () => []);
  const { pipeline } = runnable;
  const { name, partitions } = pipeline;
  using _ = how.launch === undefined ? undefined : boundOutput();
  return await superviseRun(manner, environment, terminal, async (supervisor, warn) => {
    const version = versionOf(runnable);
    return await keeping(supervisor, async (first, { keepRun, claimRun }) => {
      const staleMs = environment.ORCA_STALE_SECONDS * 1000;
      const check = (keys: readonly string[]) => void checkedPartitions(name, partitions, keys);
      const take: RunToKeep["take"] = async (database, owner) =>
        await claimRun(database, number, { pipeline: name, version, owner, staleMs, ...how, check });
      return await keepRun({ supervisor, first, pipeline, environment, warn, isNew: false, take });
    });
  });
}

/** Starts the inner process before this one loads what a recorded run takes: the two load side by side. */
async function keeping(
  supervisor: Supervisor,
  keep: (first: WaitingInner, recorded: typeof import("./recorded.ts")) => Promise<InnerEnd>,
): Promise<InnerEnd> {
  const first = supervisor.start();
  try {
    return await keep(first, await import("./recorded.ts"));
  } finally {
    await first.dismiss();
  }
}

/** The steps' process needs all that running them takes, which no other command does. */
async function inside(...given: Parameters<typeof import("./run-inside.ts").runInside>): Promise<never> {
  const { runInside } = await import("./run-inside.ts");
  return await runInside(...given);
}

/** @throws OrcaError `usage` on what isn't a run's number. */
export function runNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new OrcaError("usage", `'${text}' isn't a run's number, such as 7`);
}

/** @throws OrcaError `usage` if there is no database. */
export function needsDatabase({ ORCA_DATABASE_URL }: Environment): DatabaseUrl {
  if (ORCA_DATABASE_URL !== undefined) return ORCA_DATABASE_URL;
  const write = "embedded:<folder> for one of its own, or postgresql://…";
  throw new OrcaError("usage", `set ORCA_DATABASE_URL, so that there is a database with runs: ${write}`);
}

function versionOf({ version }: Runnable): Version {
  if (version !== undefined) return version;
  throw new OrcaError(
    "usage",
    "a run is recorded with its code's hash, which a build has: use orca build, or orca dev",
  );
}
