/** What a seed does to a run, and when. */
import type { Side } from "./held.ts";
import type { StoreFault } from "./lake/store.ts";
import { Random } from "./random.ts";

/** A moment in a run: at a request, counted from when the disturbance before has happened, or some time after that. */
export type Moment =
  | { readonly request: string; readonly count: number; readonly side: Side }
  | { readonly afterMs: number };

export type Target = "inner" | "outer" | "both";

/** What is done. */
export type Disturbance =
  /** `kill -9`; the request that the proxy holds is dropped, or still reaches the server. */
  | { readonly kind: "kill"; readonly target: Target; readonly isDropped: boolean }
  /** The connection of the request is cut, or all are. */
  | { readonly kind: "cut"; readonly isAll: boolean }
  /** The connection is lost to the program, while its request waits at the server for the run's row. */
  | { readonly kind: "lock"; readonly ms: number }
  /** The server ends all connections. */
  | { readonly kind: "terminate" }
  /** The server is stopped fast, at once, or killed; it is started again. */
  | { readonly kind: "restart"; readonly signal: "SIGINT" | "SIGQUIT" | "SIGKILL" }
  /** The server can't be reached for some time. */
  | { readonly kind: "outage"; readonly ms: number }
  /** Stopped until others have taken the run over, or have ended, and continued; its request is held, or goes on meanwhile. */
  | {
      readonly kind: "freeze";
      readonly target: Target;
      readonly rivals: number;
      readonly isHeld: boolean;
      readonly isLong: boolean;
    }
  /** The log folder's disk is full for some time. */
  | { readonly kind: "disk-full"; readonly ms: number }
  /** `orca cancel`, of a run whose processes were killed before or not. */
  | { readonly kind: "cancel"; readonly isGone: boolean }
  /** What a terminal and a machine's manager send. */
  | { readonly kind: "signal"; readonly signal: "SIGINT" | "SIGTERM" }
  /** It alone can't reach the server until others have taken the run over, or have ended, and some time longer; its request to the store is held. */
  | { readonly kind: "isolate"; readonly rivals: number; readonly isLong: boolean; readonly ms: number }
  /** The next requests to the store fail, before or after they have taken effect. */
  | { readonly kind: "store"; readonly how: StoreFault; readonly side: Side; readonly times: number }
  /** So many of the next requests to the store take so long. */
  | { readonly kind: "slow"; readonly ms: number; readonly times: number }
  /** Somebody else changes the tables. */
  | { readonly kind: "others" };

export interface Event {
  readonly moment: Moment;
  readonly disturbance: Disturbance;
}

export interface Plan {
  /** One after the other. */
  readonly events: readonly Event[];
  /** How many resumes are started at once whenever the run has stopped, by its round. */
  readonly resumes: (round: number) => number;
  readonly partitions: number;
  readonly concurrency: number;
  readonly patienceSeconds: number;
}

/** Those that happen more often are listed twice. */
export const KINDS = [
  "kill",
  "restart",
  "freeze",
  "cut",
  "kill",
  "lock",
  "terminate",
  "outage",
  "freeze",
  "cancel",
  "disk-full",
  "signal",
] as const;
/** Names of statements, and first words of those without one. */
const REQUESTS = {
  often: ["record", "record", "record", "beat", "outputs", "outputs-of-step", "any"],
  once: [
    "connect",
    "begin",
    "commit",
    "server",
    "create schema if",
    "insert into orca.pipelines",
    "insert into orca.runs",
    "insert into orca.heartbeats",
    "select pg_notify",
    "select from orca.runs",
    "update orca.attempts set",
    "update orca.steps set",
    "update orca.runs set",
    "listen orca",
    "succeeded-steps",
    "other-steps",
    "end-run",
    "release-run",
    "crash",
  ],
} as const;

/** The same for a seed at all times. */
export function planOf(seed: number): Plan {
  const random = new Random(`plan ${seed}`);
  const first = KINDS[seed % KINDS.length]!;
  const others = Array.from({ length: random.below(4) }, () => random.pick(KINDS));
  const resumes = Array.from({ length: 8 }, () => random.pick([1, 1, 1, 2, 3]));
  return {
    events: [first, ...others].map((kind) => ({ moment: momentOf(random), disturbance: disturbanceOf(kind, random) })),
    resumes: (round) => resumes[round % resumes.length]!,
    partitions: random.pick([8, 12, 16]),
    concurrency: random.pick([1, 3, 8]),
    patienceSeconds: random.pick([0.5, 5, 5]),
  };
}

function momentOf(random: Random): Moment {
  if (random.chance(1, 5)) return { afterMs: random.below(1_200) };
  const side = random.pick(["before", "after"]);
  if (random.chance(1, 2)) return { request: random.pick(REQUESTS.once), count: 1, side };
  return {
    request: random.pick(REQUESTS.often),
    count: random.pick([1, random.between(1, 6), random.between(1, 40)]),
    side,
  };
}

export function disturbanceOf(kind: (typeof KINDS)[number], random: Random): Disturbance {
  switch (kind) {
    case "kill":
      return { kind, target: random.pick(["inner", "inner", "outer", "both"]), isDropped: random.chance(1, 2) };
    case "cut":
      return { kind, isAll: random.chance(1, 3) };
    case "lock":
      return { kind, ms: random.between(20, 400) };
    case "restart":
      return { kind, signal: random.pick(["SIGINT", "SIGQUIT", "SIGKILL"]) };
    case "outage":
      return { kind, ms: random.pick([100, 700, 1_500]) };
    case "freeze": {
      const target = random.pick(["outer", "both", "both", "inner"]);
      return { kind, target, rivals: random.between(2, 3), isHeld: random.chance(1, 2), isLong: false };
    }
    case "disk-full":
      return { kind, ms: random.between(50, 2_000) };
    case "signal":
      return { kind, signal: random.pick(["SIGINT", "SIGTERM"]) };
    case "cancel":
      return { kind, isGone: random.chance(1, 3) };
    case "terminate":
      return { kind };
    default:
      return kind satisfies never;
  }
}
