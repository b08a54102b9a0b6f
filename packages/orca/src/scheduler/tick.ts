/** One pass of a scheduler: what is due is decided and applied, each part in a transaction of its own. */
import type { RunToStart, Runner, StartedProcess } from "../runners/runner.ts";
import { readAgenda } from "../state/agenda.ts";
import type { Database } from "../state/database.ts";
import { makeDueFires } from "../state/fires.ts";
import { reapLaunched, reapRuns } from "../state/reap-runs.ts";
import { noteOrder } from "../state/note-order.ts";
import { settleRuns } from "../state/settle-runs.ts";
import { isClaimed, takeQueuedRuns } from "../state/start-runs.ts";

/** So many runs are started in a pass: what is left is started by the next. */
const STARTS_MAX = 32;

export interface Scheduling {
  readonly database: Database;
  readonly runner: Runner;
  /** The scheduler's clock. */
  readonly now: () => Date;
  readonly staleMs: number;
  readonly retryMs: number;
  /** How often sensors' programs are asked. */
  readonly senseMs: number;
  /** Where the pages of runs are, for those who are told of them. */
  readonly uiUrl: string | undefined;
  /** Of programs that are started. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends what programs are being asked: an answer comes to nothing then. */
  readonly signal?: AbortSignal | undefined;
  readonly chance: () => number;
  /** Does what isn't urgent, every now and then. */
  readonly tidy?: (() => Promise<void>) | undefined;
  /** Is told, in a sentence, what was done. */
  readonly tell: (sentence: string) => void;
}

/** What a pass has done, and leaves to be done beside the passes, which it would hold up. */
export interface Ticked {
  /** Then there may be more. */
  readonly hasDone: boolean;
  /** Programs are to be asked what their datasets and keys are. */
  readonly ask: boolean;
  /** URLs are to be told of runs. */
  readonly tell: boolean;
}

export async function tick(scheduling: Scheduling): Promise<Ticked> {
  const { database, now, staleMs } = scheduling;
  const agenda = await readAgenda(database, { ...scheduling, now: now() });
  let done = 0;
  if (agenda.reap) done += await reapRuns(database, now(), staleMs);
  if (agenda.settle) done += await settleRuns(database, { ...scheduling, now: now() });
  if (agenda.fire) done += await makeDueFires(database, now());
  if (agenda.start || done > 0) done += await startRuns(scheduling);
  return { hasDone: done > 0, ask: agenda.ask, tell: agenda.tell };
}

/** @returns how many were taken from the queue, or found to wait for others. */
async function startRuns(scheduling: Scheduling): Promise<number> {
  const { database, runner, now, staleMs } = scheduling;
  const held = await noteOrder(database, now(), staleMs);
  const logOf = runner.logOf?.bind(runner);
  const launches = await takeQueuedRuns(database, { now: now(), staleMs, limit: STARTS_MAX, logOf });
  for (const launch of launches) await startRun(scheduling, launch);
  return held + launches.length;
}

async function startRun(scheduling: Scheduling, launch: RunToStart): Promise<void> {
  const { database, runner, now, tell } = scheduling;
  try {
    // what fails here is found by the next passes: the run's heartbeat stops
    const started = await runner.start(
      launch,
      ({ token, how }) => void reapLaunched(database, token, how, now()).catch(() => {}),
    );
    endUnclaimed(scheduling, launch, started);
  } catch (error) {
    const why = (error as Error).message;
    tell(`run ${launch.run} of ${launch.pipeline} stays queued: ${why}`);
    await reapLaunched(database, launch.token, why, now());
  }
}

/** Ends a process that hasn't claimed its run in time: another is started for it, and would be again and again beside those before. */
function endUnclaimed({ database, staleMs }: Scheduling, launch: RunToStart, started: StartedProcess): void {
  const end = async () => {
    if (!(await isClaimed(database, launch))) started.kill();
  };
  setTimeout(() => void end().catch(() => {}), staleMs).unref();
}
