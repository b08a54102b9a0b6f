/** A scheduler: a pass at once whenever something has changed, and one a second in any case. */
import { setTimeout as sleep } from "node:timers/promises";
import { Listener } from "../state/listen.ts";
import { tick, type Scheduling } from "./tick.ts";

/** The time between two passes when nothing is heard. */
const PASS_MS = 1_000;

/** Schedules until the signal is aborted. @param url of the database. */
export async function schedule(scheduling: Scheduling, url: string, signal: AbortSignal): Promise<void> {
  let wake = new AbortController();
  await using _ = new Listener(url, () => wake.abort());
  while (!signal.aborted) {
    wake = new AbortController();
    const hasMore = await tick(scheduling);
    if (!hasMore) await sleep(PASS_MS, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => {});
  }
}
