import { wait } from "../wait.ts";
import { isPassing } from "./s3-error.ts";

const WAIT_MILLISECONDS_MAX = 20_000;

/** How often something is tried, and how long is waited at first. */
export interface Retry {
  readonly attempts: number;
  readonly firstWaitMilliseconds: number;
}

/** Calls `attempt` until it succeeds or fails for good; waits in between, twice as long each time, at random within the last half. */
export async function withRetries<T>(
  { attempts, firstWaitMilliseconds }: Retry,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (tries >= attempts || !isPassing(error)) throw error;
    }
    const longest = Math.min(WAIT_MILLISECONDS_MAX, firstWaitMilliseconds * 2 ** (tries - 1));
    await wait(longest * (0.5 + Math.random() / 2), signal);
  }
}
