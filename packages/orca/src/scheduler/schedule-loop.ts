/** A scheduler: a pass at once whenever something has changed, and one a second in any case. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Listener } from "../state/listen.ts";
import { noteLateRuns } from "../state/notifications.ts";
import { noteScheduler } from "../state/schedulers.ts";
import { isOfSteps } from "../state/step-news.ts";
import { askPrograms } from "./ask-programs.ts";
import { tellAll } from "./tell.ts";
import { tick, type Scheduling, type Ticked } from "./tick.ts";

/** The time between two passes when nothing is heard. */
const PASS_MS = 1_000;
/** The time between two looks for runs that are late, and for what is to be tidied. */
const LATE_MS = 60_000;
/** The time between two notes that the scheduler is at work. */
const SEEN_MS = 5_000;

/** Schedules until its signal is aborted. @param url of the database. */
export async function schedule(scheduling: Scheduling & { readonly signal: AbortSignal }, url: string): Promise<void> {
  const { database, tell, signal } = scheduling;
  let wake = new AbortController();
  await using _ = new Listener(url, (heard) => isOfSteps(heard) || wake.abort());
  const asking = new OneAtATime(() => askPrograms(scheduling), tell);
  const telling = new OneAtATime(() => tellAll(scheduling), tell);
  const late = new OneAtATime(() => noteLateRuns(database), tell);
  const tidying = new OneAtATime(async () => await scheduling.tidy?.(), tell);
  const self = { id: randomUUID(), host: hostname(), pid: process.pid };
  const seen = new OneAtATime(() => noteScheduler(database, self), tell);
  let lookedAt = -Infinity;
  let seenAt = -Infinity;
  while (!signal.aborted) {
    wake = new AbortController();
    const { hasDone, ask, tell: hasToTell } = await passOf(scheduling);
    if (ask) asking.begin();
    if (hasToTell) telling.begin();
    if (performance.now() - lookedAt > LATE_MS) {
      lookedAt = performance.now();
      late.begin();
      tidying.begin();
    }
    if (performance.now() - seenAt > SEEN_MS) {
      seenAt = performance.now();
      seen.begin();
    }
    if (!hasDone) await sleep(PASS_MS, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => {});
  }
  await Promise.all([asking.end(), telling.end(), late.end(), tidying.end(), seen.end()]);
}

/** A scheduler goes on whatever a pass runs into. */
async function passOf(scheduling: Scheduling): Promise<Ticked> {
  try {
    return await tick(scheduling);
  } catch (error) {
    scheduling.tell(`a pass ended early, and is done again: ${(error as Error).message}`);
    return { hasDone: false, ask: false, tell: false };
  }
}

/** Work that goes on beside the passes, which it would hold up. */
class OneAtATime {
  readonly #work: () => Promise<void>;
  readonly #tell: (sentence: string) => void;
  #going: Promise<void> | undefined;

  constructor(work: () => Promise<void>, tell: (sentence: string) => void) {
    this.#work = work;
    this.#tell = tell;
  }

  begin(): void {
    this.#going ??= this.#work()
      .catch((error: unknown) => this.#tell((error as Error).message))
      .finally(() => (this.#going = undefined));
  }

  async end(): Promise<void> {
    await this.#going;
  }
}
