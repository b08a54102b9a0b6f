/** What state a run, a step, a partition or a pipeline is in, as it is shown: a symbol with its word. */
import type { Child } from "hono/jsx";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

/** The states of runs, of steps and of partitions, by the names that the style sheet has for them. */
export type State =
  | "ok"
  | "failed"
  | "running"
  | "queued"
  | "skipped"
  | "cancelled"
  | "missing"
  | "stale"
  /** Not reached, or not due. */
  | "none";

export const STATE_WORDS: Readonly<Record<State, string>> = {
  ok: "Succeeded",
  failed: "Failed",
  running: "Running",
  queued: "Queued",
  skipped: "Skipped",
  cancelled: "Cancelled",
  missing: "Missing",
  stale: "Stale code",
  none: "Not reached",
};

/** What Postgres has of a run, a step or an attempt, as a state. */
export function stateOf(status: string): State {
  switch (status) {
    case "succeeded":
      return "ok";
    case "queued":
    case "waiting":
      return "queued";
    case "running":
    case "stopped":
    case "stale":
      return "running";
    case "skipped":
      return "skipped";
    case "cancelled":
      return "cancelled";
    default:
      return "failed"; // also crashed, timed-out and lost
  }
}

/** @param label instead of the state's word. */
export function StateMark({ state, label }: { readonly state: State; readonly label?: string }) {
  return <Mark name={state} label={label ?? STATE_WORDS[state]} />;
}

/** A symbol in its colour, with its word. */
export function Mark({ name, label }: { readonly name: IconName; readonly label: Child }) {
  return (
    <span class={`st st-${name}`}>
      <Icon name={name} />
      {label}
    </span>
  );
}

/** The state of what a page is about, beside its heading. */
export function Chip({ name, children }: { readonly name: IconName; readonly children?: Child }) {
  return (
    <span class={`chip st-${name}`}>
      <Icon name={name} class={name === "running" ? "spin" : ""} />
      {children}
    </span>
  );
}
