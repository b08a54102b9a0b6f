/** What is said of runs where there is a line for each. */
import type { RunLine } from "../../../state/pages/run-line.ts";
import type { Frame } from "../../look/frame.ts";
import { num, plural, span, took, until } from "../../look/text.ts";

/** `2024-01..2024-12`, `100 names from 93e80d17`. */
export function partitionWords({ partitions, first, last }: Pick<RunLine, "partitions" | "first" | "last">): string {
  return partitions === 1 || isDate(first) ? span(first, last) : `${num(partitions)} names from ${first}`;
}

/** Whether a key is a month or a day. */
export function isDate(key: string): boolean {
  return /^\d{4}-\d\d(-\d\d)?$/.test(key);
}

export function triggerWords({ trigger, backfill, rebuild, askedBy }: RunLine): string {
  if (backfill !== null) return `backfill ${backfill}`;
  if (rebuild !== null) return `rebuild ${rebuild}`;
  if (trigger !== "manual") return trigger;
  return askedBy === null ? "by hand" : `by hand, ${askedBy}`;
}

/** The commit, or else the hash, so far as it tells one from another. */
export function codeWords({ commit, hash }: Pick<RunLine, "commit" | "hash">): string {
  return commit?.slice(0, 7) ?? hash.slice(0, 10);
}

/** Why a run failed, or what it waits for; nothing of one with which all is well. */
export function noteOf(run: RunLine, { now, scheduler }: Pick<Frame, "now" | "scheduler">): string {
  if (run.isCancelling) return "Cancel asked: goes on until its process sees it";
  switch (run.status) {
    case "queued":
      return waitWords(run, { now, scheduler });
    case "stale":
      return run.heardAt === null ? "" : `No heartbeat for ${took(now.getTime() - run.heardAt.getTime())}`;
    case "stopped":
      return run.trigger === "manual" ? "Left by its process: it can be resumed" : "Starts again on the next tick";
    case "failed":
      return run.error ?? failureWords(run);
    case "cancelled":
      return run.cancelledBy === null ? "" : `Cancelled by ${run.cancelledBy}`;
    case "running":
    case "succeeded":
      return "";
    default:
      return run.status satisfies never;
  }
}

/** `month_trips of 2024-09: out of memory`. */
function failureWords({ failedStep, failedPartition, failedError }: RunLine): string {
  if (failedStep === null) return "";
  const what = failedPartition === null ? failedStep : `${failedStep} of ${failedPartition}`;
  return failedError === null ? what : `${what}: ${failedError.split("\n")[0]}`;
}

/** What a queued run waits for. */
function waitWords(run: RunLine, { now, scheduler }: Pick<Frame, "now" | "scheduler">): string {
  switch (run.waitsFor) {
    case "time": {
      const again = `Starts again ${until(run.notBefore!, now)}`;
      const why = run.heldBack ?? failureWords(run);
      return why === "" ? again : `${again}. Last: ${why}`;
    }
    case "run":
      return `Waits for run ${run.waitsForRun}, which was queued before it over a partition of its own`;
    case "place":
      return `Waits for a place: ${plural(run.maxRuns!, "run")} at once`;
    case "place-in-backfill":
      return `Waits for a place: backfill ${run.backfill} has ${plural(run.maxRuns!, "run")} at once`;
    case "unpause":
      return `Waits: ${run.pipeline} is paused`;
    case "registration":
      return `Waits: ${run.pipeline} isn't registered`;
    case "scheduler":
      return scheduler === undefined ? "Waits for a scheduler: none has ticked yet" : "Starts on the next tick";
    case null:
      return "";
    default:
      return run.waitsFor satisfies never;
  }
}
