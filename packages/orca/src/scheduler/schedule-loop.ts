/** A scheduler: a pass at once whenever something has changed, and one a second in any case. */
import { setTimeout as sleep } from "node:timers/promises";
import { Listener } from "../state/listen.ts";
import type { Agenda } from "../state/agenda.ts";
import { askPrograms } from "./ask-programs.ts";
import { tick, type Scheduling } from "./tick.ts";

/** A scheduler goes on whatever a pass runs into. */
async function passOf(scheduling: Scheduling): Promise<Partial<Agenda>> {
  try {
    return await tick(scheduling);
  } catch (error) {
    scheduling.tell(`a pass ended early, and is done again: ${(error as Error).message}`);
    return {};
  }
}

/** The time between two passes when nothing is heard. */
const PASS_MS = 1_000;

/** Schedules until the signal is aborted. @param url of the database. */
export async function schedule(scheduling: Scheduling, url: string, signal: AbortSignal): Promise<void> {
  let wake = new AbortController();
  let asking: Promise<void> | undefined;
  await using _ = new Listener(url, () => wake.abort());
  while (!signal.aborted) {
    wake = new AbortController();
    const { ask, ...passes } = await passOf(scheduling);
    if (ask) asking ??= askPrograms(scheduling).finally(() => (asking = undefined));
    asking?.catch((error: unknown) => scheduling.tell((error as Error).message));
    if (Object.values(passes).includes(true)) continue;
    await sleep(PASS_MS, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => {});
  }
  await asking;
}
