import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workFolder } from "../e2e/programs.ts";
import type { OutputRow } from "./invariants.ts";
import { KINDS, planOf } from "./plan.ts";
import { runSeed, undisturbed } from "./run-seeds.ts";
import { type Place, SEED_MS_MAX, type Subject } from "./seed.ts";
import { stepsSubject } from "./steps.ts";

/** Of all that `plan.ts` does something, with 8 partitions. `npm run chaos` runs others. */
const SEEDS = [14, 31, 94, 138, 264];
const PARTITIONS = 8;

const work = workFolder();
const place: Place = {
  server: path.resolve(import.meta.dirname, "../../build/chaos-postgres"),
  folder: work.path,
};
let subject: Subject;
let expected: readonly OutputRow[];

beforeAll(async () => {
  subject = await stepsSubject(work.path);
  expected = await undisturbed(PARTITIONS, subject, place);
});
afterAll(() => work[Symbol.dispose]());

it("has seeds for every kind of disturbance", () => {
  const kinds = SEEDS.flatMap((seed) => planOf(seed).events.map((event) => event.disturbance.kind));
  expect([...new Set(kinds)].sort()).toEqual([...new Set(KINDS)].sort());
  expect(SEEDS.map((seed) => planOf(seed).partitions)).toEqual(SEEDS.map(() => PARTITIONS));
});

it.each(SEEDS)(
  "a run is recorded as though nothing had disturbed it: seed %i",
  async (seed) => {
    const { broken, story } = await runSeed({ seed, plan: planOf(seed) }, subject, place, expected);
    expect(broken, story.join("\n")).toEqual([]);
  },
  SEED_MS_MAX,
);
