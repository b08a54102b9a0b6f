/** When a failed attempt of a step is tried again. */

const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;

/**
 * The wait before the attempt after `attempt`: 1 s after the first, doubling with each up to 1 min, and up to a tenth more, so that
 * partitions that failed together don't all try again at the same moment.
 *
 * @param jitter from 0 to 1.
 */
export function retryWaitMs(attempt: number, jitter: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), WAIT_MAX_MS);
  return Math.round(wait * (1 + jitter / 10));
}
