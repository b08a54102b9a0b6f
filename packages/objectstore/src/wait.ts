import { setTimeout } from "node:timers/promises";

/** Waits; a signal that is aborted ends it with its reason. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
