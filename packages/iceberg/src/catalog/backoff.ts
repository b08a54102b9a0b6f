import { setTimeout } from "node:timers/promises";
import type { Abortable } from "@orcajs/objectstore";

const WAIT_MS_MAX = 20_000;

export interface BackOffOptions extends Abortable {
  /** No wait grows longer. Default: 20,000. */
  readonly maxMs?: number | undefined;
  /** What is waited in any case, beside the random time: what the other side has asked for. Default: 0. */
  readonly leastMs?: number | undefined;
}

/**
 * Waits before an attempt that follows on others, for a random time, so that those who failed together don't come again together.
 *
 * @param firstMs the longest wait after the first attempt; it doubles with each.
 * @throws the signal's reason
 */
export async function backOff(
  attempt: number,
  firstMs: number,
  { signal, maxMs = WAIT_MS_MAX, leastMs = 0 }: BackOffOptions = {},
): Promise<void> {
  const ms = leastMs + Math.random() * Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
