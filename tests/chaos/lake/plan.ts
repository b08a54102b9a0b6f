/** What a seed does to a run over tables, and when. */
import { disturbanceOf, type Disturbance, type Moment, type Plan } from "../plan.ts";
import { Random } from "../random.ts";

/** Those that happen more often are listed twice. */
export const LAKE_KINDS = [
  "kill",
  "store",
  "freeze",
  "isolate",
  "others",
  "kill",
  "store",
  "restart",
  "cut",
  "slow",
  "freeze",
  "terminate",
  "outage",
  "lock",
  "signal",
] as const;

/** As `folder-hook.ts` and `s3-store.ts` call requests, and those to Postgres by their statements. */
const REQUESTS = [
  "store put metadata file",
  "store put metadata file",
  "store put metadata file",
  "store put data file",
  "store put manifest",
  "store put manifest list",
  "store put hint",
  "store get metadata file",
  "store get",
  "store delete",
  "store put",
  "store",
  "record-read",
  "record-commit",
  "record-commit",
  "record",
  "beat",
  "any",
];

/** The same for a seed at all times. */
export function lakePlanOf(seed: number): Plan {
  const random = new Random(`lake ${seed}`);
  const first = LAKE_KINDS[seed % LAKE_KINDS.length]!;
  const others = Array.from({ length: random.below(4) }, () => random.pick(LAKE_KINDS));
  const resumes = Array.from({ length: 8 }, () => random.pick([1, 1, 1, 2]));
  return {
    events: [first, ...others].map((kind) => ({ moment: momentOf(random), disturbance: ofKind(kind, random) })),
    resumes: (round) => resumes[round % resumes.length]!,
    partitions: random.pick([2, 3, 4]),
    concurrency: random.pick([1, 2, 4]),
    patienceSeconds: random.pick([0.5, 5, 30]),
  };
}

function momentOf(random: Random): Moment {
  if (random.chance(1, 8)) return { afterMs: random.below(1_500) };
  const side = random.pick(["before", "after"]);
  return { request: random.pick(REQUESTS), count: random.pick([1, random.between(1, 4), random.between(1, 12)]), side };
}

function ofKind(kind: (typeof LAKE_KINDS)[number], random: Random): Disturbance {
  switch (kind) {
    case "store": {
      const [how, side] = [random.pick(["reset", "500", "503"]), random.pick(["before", "after"])];
      return { kind, how, side, times: random.pick([1, 1, 2, random.between(1, 8)]) };
    }
    case "slow":
      return { kind, ms: random.between(50, 800), times: random.between(1, 5) };
    case "freeze": {
      const target = random.pick(["both", "both", "inner", "outer"]);
      return { kind, target, rivals: 1, isHeld: random.chance(3, 4), isLong: random.chance(1, 2) };
    }
    case "isolate":
      return { kind, rivals: 1, isLong: random.chance(1, 2), ms: random.between(0, 8_000) };
    case "others":
      return { kind };
    default:
      return disturbanceOf(kind, random);
  }
}
