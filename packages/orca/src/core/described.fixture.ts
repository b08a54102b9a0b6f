import type { DescribedPipeline } from "./described.ts";

/** A pipeline of days with one mapped step, unless it is said otherwise. */
export function described(pipeline: string, given: Partial<DescribedPipeline> = {}): DescribedPipeline {
  return {
    pipeline,
    hash: "0x1",
    partitions: { kind: "daily", start: "2024-01-01" },
    schedule: null,
    fills: "current",
    catchup: true,
    keysPerRun: null,
    sensor: false,
    maxRuns: 1,
    runRetries: 0,
    steps: [step([])],
    source: null,
    ...given,
  };
}

/** A step of a sensor, or of what it reads from. */
export function step(reads: readonly string[], writes: readonly string[] = []): DescribedPipeline["steps"][number] {
  return { name: "load", kind: "mapped", after: [], hash: "0xa", reads, writes };
}
