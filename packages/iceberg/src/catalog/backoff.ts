import { setTimeout } from "node:timers/promises";
import type { Abortable } from "@orcajs/objectstore";

const WAIT_MS_MAX = 20_000;

/**
 * Waits before an attempt that follows on others, for a random time, so that those who failed together don't come again together.
 *
 * @param firstMs the longest wait after the first attempt; it doubles with each, up to `maxMs`.
 * @throws the signal's reason
 */
export async function backOff(
  attempt: number,
  firstMs: number,
  { signal }: Abortable = {},
  maxMs = WAIT_MS_MAX,
): Promise<void> {
  const ms = Math.random() * Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
