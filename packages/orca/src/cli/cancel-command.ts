/** `orca cancel`: stops a run, or all runs of a backfill or a rebuild. */
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { askToCancel } from "../state/cancel.ts";
import { cancelBackfill, cancelRebuild, type RunsCancelled } from "../state/cancel-many.ts";
import type { Database } from "../state/database.ts";
import { actor } from "./actor.ts";
import type { Terminal } from "./command-line.ts";
import { openExisting } from "./database.ts";
import type { Environment } from "./environment.ts";
import { runNumber } from "./run-command.ts";
import { counted } from "./run-report.ts";

/** What is to be stopped, as it was given: one of them. */
export interface CancelArguments {
  readonly run: string | undefined;
  readonly backfill: string | undefined;
  readonly rebuild: string | undefined;
}

/** Asks the processes that have runs to stop them, and cancels runs that none has. */
export async function cancelCommand(
  given: CancelArguments,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  const cancel = cancelOf(given);
  await using open = await openExisting(environment, terminal);
  terminal.stdout.write(`${await cancel(open.database, environment.ORCA_STALE_SECONDS * 1000)}\n`);
}

/** @returns what does it, and says what came of it. */
function cancelOf({
  run,
  backfill,
  rebuild,
}: CancelArguments): (database: Database, staleMs: number) => Promise<string> {
  if ([run, backfill, rebuild].filter((one) => one !== undefined).length !== 1)
    throw new OrcaError("usage", "it takes the number of a run, or --backfill or --rebuild with its number");
  if (run !== undefined) {
    const id = runNumber(run);
    return async (database, staleMs) => `run ${id} ${STATUS_WORDS[await askToCancel(database, id, staleMs, actor())]}`;
  }
  if (backfill !== undefined) {
    const id = numberOf("--backfill", backfill);
    return async (database, staleMs) =>
      `backfill ${id}: ${wordsOf(await cancelBackfill(database, { id, staleMs, actor: actor() }))}`;
  }
  const id = numberOf("--rebuild", rebuild!);
  return async (database, staleMs) => {
    const cancelled = await cancelRebuild(database, { id, staleMs, actor: actor() });
    return cancelled === undefined
      ? `rebuild ${id} had succeeded already`
      : `rebuild ${id} is cancelled: ${wordsOf(cancelled)}`;
  };
}

function numberOf(option: string, text: string): number {
  const number = wholeNumber(text) ?? 0;
  if (number < 1) throw new OrcaError("usage", `${option} is '${text}': it takes a number such as 7`);
  return number;
}

const STATUS_WORDS = {
  queued: "is cancelled",
  running: "is going to stop: its process is told, if it is alive",
  cancelled: "is cancelled",
  succeeded: "had succeeded already",
  failed: "had failed already",
};

function wordsOf({ queued, running }: RunsCancelled): string {
  if (queued + running === 0) return "no run of it was queued or going on";
  return [
    queued > 0 ? `${counted(queued, "run")} cancelled` : "",
    running > 0 ? `${counted(running, "run")} going to stop: their processes are told` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
