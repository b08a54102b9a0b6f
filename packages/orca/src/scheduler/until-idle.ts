/** Passes until nothing is due, and nothing queued or going on. */
import { setTimeout as sleep } from "node:timers/promises";
import { isIdle } from "../state/agenda.ts";
import { Listener } from "../state/listen.ts";
import { isOfSteps } from "../state/step-news.ts";
import { askPrograms } from "./ask-programs.ts";
import { tellAll } from "./tell.ts";
import { tick, type Scheduling } from "./tick.ts";

/** The time between two passes when nothing is heard. */
const PASS_MS = 1_000;

/**
 * Waits for all runs of registered pipelines that can go on: not for those that are held back, or wait to be tried again.
 *
 * @param url of the database.
 */
export async function tickUntilIdle(scheduling: Scheduling, url: string): Promise<void> {
  const { database, now, staleMs } = scheduling;
  let wake = new AbortController();
  await using _ = new Listener(url, (heard) => isOfSteps(heard) || wake.abort());
  for (;;) {
    wake = new AbortController();
    const { hasDone, ask, tell } = await tick(scheduling);
    if (ask) await askPrograms(scheduling);
    if (tell) await tellAll(scheduling);
    if (hasDone) continue;
    if (await isIdle(database, now(), staleMs)) return await scheduling.tidy?.();
    await sleep(PASS_MS, undefined, { signal: wake.signal }).catch(() => {});
  }
}
