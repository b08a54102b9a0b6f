/** How a backfill stands. */
import type { BackfillRow } from "../../../state/pages/backfills.ts";
import type { State } from "../../look/state.tsx";

export function backfillState({ running, queued, failed, cancelled }: BackfillRow): State {
  if (running > 0) return "running";
  if (queued > 0) return "queued";
  if (failed > 0) return "failed";
  return cancelled > 0 ? "cancelled" : "ok";
}

export function isGoingOn({ running, queued }: Pick<BackfillRow, "running" | "queued">): boolean {
  return running + queued > 0;
}
