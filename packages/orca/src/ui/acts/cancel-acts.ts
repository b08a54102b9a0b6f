/** Cancelling backfills and rebuilds. */
import { backfillHref, rebuildHref } from "../look/addresses.ts";
import { cancelBackfill, cancelRebuild, type RunsCancelled } from "../../state/cancel-many.ts";
import { plural } from "../look/text.ts";
import { idFrom } from "../query.ts";
import type { Act } from "./act.ts";

const backfill: Act = {
  path: "/backfills/:backfill/cancel",
  async act({ part, database, staleMs, actor }) {
    const id = idFrom(part("backfill"), "backfill");
    const cancelled = await cancelBackfill(database, { id, staleMs, actor });
    const told = isNone(cancelled)
      ? `No run of backfill ${id} was queued or going on.`
      : `Backfill ${id} is cancelled: ${wordsOf(cancelled)}.`;
    return { told, to: backfillHref(id) };
  },
};

const rebuild: Act = {
  path: "/rebuilds/:rebuild/cancel",
  async act({ part, database, staleMs, actor }) {
    const id = idFrom(part("rebuild"), "rebuild");
    const cancelled = await cancelRebuild(database, { id, staleMs, actor });
    const told =
      cancelled === undefined
        ? `Rebuild ${id} had succeeded already.`
        : `Rebuild ${id} is cancelled: ${isNone(cancelled) ? "no run of it was queued or going on" : wordsOf(cancelled)}.`;
    return { told, to: rebuildHref(id) };
  },
};

function isNone({ queued, running }: RunsCancelled): boolean {
  return queued + running === 0;
}

function wordsOf({ queued, running }: RunsCancelled): string {
  const parts = [
    queued > 0 ? `${plural(queued, "run")} won't start` : "",
    running > 0 ? `${plural(running, "run")} asked to stop` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

export const cancelActs: readonly Act[] = [backfill, rebuild];
