/** Pipelines with a program that only records what runs record: cheap, so that there are many of them. */
import path from "node:path";
import { pipelines } from "./pipelines.ts";
import type { Subject } from "./subject.ts";

const DAYS = Array.from({ length: 8 }, (_, i) => `2024-01-0${i + 1}`);
const KEYS = Array.from({ length: 20 }, (_, i) => `key-${i}`);
/** What backfills run twice with another code isn't told apart: these keep theirs. */
const RUN_ONCE = ["slow", "labels"];
const PROGRAM = path.join(import.meta.dirname, "run.ts");

export function standIns(): Subject {
  const first = pipelines(1);
  return {
    steps: 24,
    minutesMax: 300,
    staleMs: 3_000,
    senseMs: 86_400_000,
    env: {},
    programs: (code) =>
      pipelines(code).map((description, i) => {
        const isKept = RUN_ONCE.includes(description.pipeline);
        return { description: isKept ? first[i]! : description, program: PROGRAM };
      }),
    backfills: [
      ["slow", DAYS],
      ["labels", KEYS],
      ["clean", DAYS],
    ],
    runOnce: RUN_ONCE,
    cancelled: first.map(({ pipeline }) => pipeline),
    rebuilt: ["l.hourly", "l.often", "l.months"],
    others: async () => {},
    left: async () => [],
    broken: async () => [],
    async [Symbol.asyncDispose]() {},
  };
}
