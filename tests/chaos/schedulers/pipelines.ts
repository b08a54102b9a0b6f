/** Pipelines that schedulers are disturbed over: schedules, sensors of these, and keys. */
import type { DescribedPipeline } from "../../../packages/orca/dist/core/described.js";
import { described, step } from "../../../packages/orca/src/core/described.fixture.ts";

const EVERY = { fourHours: "0 */4 * * *", sixHours: "15 */6 * * *", day: "30 2 * * *" } as const;

/** @param code of which they all are. */
export function pipelines(code: number): readonly DescribedPipeline[] {
  const hash = `0x${code}`;
  const of = (
    pipeline: string,
    { reads = [], writes = [], cron, ...given }: Partial<DescribedPipeline> & Datasets & { readonly cron?: string },
  ): DescribedPipeline =>
    described(pipeline, {
      hash,
      schedule: cron === undefined ? null : { cron, timeZone: "Europe/London" },
      maxRuns: 2,
      runRetries: 6,
      steps: [{ ...step(reads, writes), hash }],
      ...given,
    });
  return [
    of("hourly", { cron: EVERY.fourHours, writes: ["l.hourly"] }),
    of("often", { cron: EVERY.sixHours, writes: ["l.often"], maxRuns: 1 }),
    of("nightly", { cron: EVERY.day, fills: "previous", writes: ["l.nightly"] }),
    of("latest", { cron: EVERY.fourHours, catchup: false, maxRuns: 1 }),
    of("clean", { sensor: true, reads: ["l.hourly"], writes: ["l.clean"] }),
    of("both", { sensor: true, reads: ["l.often", "l.nightly"], writes: ["l.both"], maxRuns: 3 }),
    of("months", { sensor: true, reads: ["l.clean", "l.both"], writes: ["l.months"], partitions: MONTHS }),
    of("unsensed", { reads: ["l.months"], writes: ["l.unsensed"], partitions: MONTHS }),
    of("labels", { partitions: { kind: "keyed", dataset: "l.keys", column: "id" }, keysPerRun: 5 }),
    of("slow", { maxRuns: 1, runRetries: 0 }),
  ];
}

interface Datasets {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

const MONTHS = { kind: "monthly", start: "2024-01" } as const;
