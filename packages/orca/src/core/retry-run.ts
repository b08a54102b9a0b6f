/** When a failed run is started again. */

/** The longest wait before a run is started again: a day. */
const WAIT_MAX_MS = 86_400_000;

/**
 * How long to wait before a run is started again: doubled with each time, and up to a tenth longer by chance, so that what failed together isn't
 * started together.
 *
 * @param retries how often it was started again before.
 * @param firstMs the first wait.
 * @param chance from 0 to below 1.
 */
export function retryWaitMs(retries: number, firstMs: number, chance: number): number {
  return Math.min(firstMs * 2 ** Math.min(retries, 32), WAIT_MAX_MS) * (1 + chance / 10);
}
