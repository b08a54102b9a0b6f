/** `orca prune`: removes old runs and their logs. */
import { rm } from "node:fs/promises";
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { keyOfFile, logPlace } from "../logs/log-place.ts";
import { folderOfRun } from "../run/logs/run-logs.ts";
import { countPrunable, pruneRuns, type PrunedRun } from "../state/prune.ts";
import type { Terminal } from "./command-line.ts";
import type { OpenDatabase } from "./database.ts";
import type { Environment } from "./environment.ts";
import { programsOf, removePrograms } from "./programs-of.ts";
import { counted } from "./run-report.ts";

const DAY_MS = 86_400_000;
const DAYS_MAX = 36_500;

/** @param age such as `90d`. */
export async function pruneCommand(
  { database }: OpenDatabase,
  { age, isDry }: { readonly age: string; readonly isDry: boolean },
  environment: Environment,
  { stdout }: Terminal,
): Promise<void> {
  const days = wholeNumber(/^(\d{1,6})d$/.exec(age)?.[1] ?? "") ?? 0;
  if (days < 1 || days > DAYS_MAX)
    throw new OrcaError("usage", `--older-than is '${age}': it takes a number of days, such as 90d`);
  if (isDry) {
    stdout.write(`would prune ${counted(await countPrunable(database, days * DAY_MS), "run")}\n`);
    return;
  }
  const { ORCA_LOGS, ORCA_LOG_STAGE } = environment;
  const place = ORCA_LOGS === undefined ? undefined : logPlace(ORCA_LOGS, ORCA_LOG_STAGE);
  let count = 0;
  for (;;) {
    const runs = await pruneRuns(database, days * DAY_MS);
    if (runs.length === 0) break;
    count += runs.length;
    if (place !== undefined) await removeLogs(place, runs);
  }
  const programs = await removePrograms(database, await programsOf(database, environment));
  stdout.write(`pruned ${counted(count, "run")}${programs === 0 ? "" : ` and ${counted(programs, "program")}`}\n`);
}

async function removeLogs(place: ReturnType<typeof logPlace>, runs: readonly PrunedRun[]): Promise<void> {
  const folders = runs.map(({ pipeline, id }) => folderOfRun(place, pipeline, id));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  if (place.bucket === undefined) return;
  const { openObjectStore } = await import("@orcajs/objectstore");
  await using store = openObjectStore(place.bucket);
  for (const folder of folders) {
    for await (const { key } of store.list(`${keyOfFile(place.folder, folder)}/`)) await store.delete(key);
  }
}
