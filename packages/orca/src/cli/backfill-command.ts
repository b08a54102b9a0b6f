/** `orca backfill` and `orca rebuild`: runs over many partitions, queued at once. */
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { datasetKeys } from "../core/dataset-keys.ts";
import { queueBackfill } from "../state/backfills.ts";
import { beginRebuild } from "../state/rebuilds.ts";
import { registeredPipeline } from "../state/registered.ts";
import { partitionsOf, type DescribedPartitions } from "../core/keys-across.ts";
import type { Terminal } from "./command-line.ts";
import type { OpenDatabase } from "./database.ts";
import { checkCurrent, keysListed } from "./keys-given.ts";
import { counted } from "./run-report.ts";

export interface BackfillGiven {
  readonly pipeline: string;
  /** As a person lists them: `2024-01..2024-03`, names, `@all`, `@file:<path>`. */
  readonly keys: string;
  readonly rerun?: true;
  readonly reverse?: true;
  readonly maxRuns?: string;
  readonly dryRun?: true;
  readonly actor: string;
}

/** Queues runs for the partitions that aren't done, and says how many. */
export async function backfillCommand(
  { database }: OpenDatabase,
  { pipeline, keys: asked, rerun, reverse, maxRuns, dryRun, actor }: BackfillGiven,
  { stdout, env }: Terminal,
): Promise<void> {
  const most = maxRuns === undefined ? undefined : (wholeNumber(maxRuns) ?? 0);
  if (most !== undefined && (most < 1 || most > RUNS_MAX))
    throw new OrcaError("usage", `--max-runs is '${maxRuns}': it takes a whole number from 1 to ${RUNS_MAX}`);
  const { description, program } = await registeredPipeline(database, pipeline);
  const keys = await keysAsked(pipeline, description.partitions, asked, async () => {
    const { keysOfProgram } = await import("../scheduler/programs.ts");
    return await keysOfProgram(program, { env });
  });
  const backfill = await queueBackfill(database, {
    pipeline,
    asked,
    keys,
    isRerun: rerun === true,
    isReversed: reverse === true,
    maxRuns: most,
    actor,
    isDry: dryRun === true,
  });
  const left = [
    backfill.done === 0 ? undefined : `${counted(backfill.done, "partition")} done already`,
    backfill.live === 0 ? undefined : `${counted(backfill.live, "partition")} in runs that are queued or going on`,
  ].filter((part) => part !== undefined);
  const runs = `${counted(backfill.runs, "run")} over ${counted(backfill.queued, "partition")}`;
  const did = dryRun === true ? `would queue ${runs}` : `backfill ${backfill.id}: ${runs} queued`;
  stdout.write(`${did}${left.length === 0 ? "" : `; ${left.join(", ")}`}\n`);
}

const RUNS_MAX = 1_000_000;

async function keysAsked(
  name: string,
  described: DescribedPartitions,
  text: string,
  currentKeys: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const partitions = partitionsOf(described);
  if (partitions.kind !== "keyed") return keysListed({ name, partitions }, text)!;
  const [given, keys] = [keysListed({ name, partitions }, text), await currentKeys()];
  return given === undefined ? keys : checkCurrent(given, keys, name, partitions);
}

/** Runs every pipeline downstream of a dataset anew, and says which. */
export async function rebuildCommand(
  { database }: OpenDatabase,
  { dataset, keys, actor }: { readonly dataset: string; readonly keys: string; readonly actor: string },
  { stdout }: Terminal,
): Promise<void> {
  const { id, levels } = await beginRebuild(database, { dataset, keys: datasetKeys(keys), actor });
  const lines = levels.map(({ level, pipeline, keys: about }) => {
    const span = about.length === 1 ? about[0] : `${about[0]}..${about.at(-1)} (${counted(about.length, "partition")})`;
    return `  level ${level} ${pipeline} ${span}\n`;
  });
  stdout.write(`rebuild ${id}\n${lines.join("")}`);
}
