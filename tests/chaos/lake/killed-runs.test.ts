import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workFolder } from "../../e2e/programs.ts";
import type { OutputRow } from "../invariants.ts";
import type { Disturbance, Event, Plan } from "../plan.ts";
import { runSeed, undisturbed } from "../run-seeds.ts";
import { type Place, SEED_MS_MAX } from "../seed.ts";
import { LAKE_KINDS, lakePlanOf } from "./plan.ts";
import { type LakeSubject, lakeSubjects, STORES, type StoreKind } from "./subject.ts";

/** They do all that `plan.ts` has and the cases here don't. `npm run chaos -- --over s3` runs others. */
const SEEDS: readonly (readonly [StoreKind, number])[] = [
  ["folder", 1244],
  ["s3", 4513],
];

/** An undisturbed run may come before. */
const HANGS_MS = 2 * SEED_MS_MAX;

const work = workFolder();
const place: Place = {
  server: path.resolve(import.meta.dirname, "../../../build/chaos-lake-postgres"),
  folder: work.path,
};
let subjects: Readonly<Record<StoreKind, LakeSubject>>;
const outputs = new Map<number, readonly OutputRow[]>();

beforeAll(async () => {
  subjects = await lakeSubjects(work.path);
});
afterAll(async () => {
  for (const store of STORES) await subjects[store][Symbol.asyncDispose]();
  work[Symbol.dispose]();
});

/** Runs a plan to its success, and gives what is broken then, and how many disturbances there were. */
async function after(store: StoreKind, seed: number, plan: Plan) {
  const subject = subjects[store];
  const expected = outputs.get(plan.partitions) ?? (await undisturbed(plan.partitions, subject, place));
  outputs.set(plan.partitions, expected);
  const { broken, happened, story } = await runSeed({ seed, plan }, subject, place, expected);
  return { broken: broken.length === 0 ? [] : [...broken, ...story], happened };
}

const KILL: Disturbance = { kind: "kill", target: "inner", isDropped: true };
/** The first makes the table that the steps append to. */
const swap = (count: number, side: "before" | "after") =>
  ({ request: "store put metadata file", count, side }) as const;

const CASES: readonly (readonly [string, StoreKind, ...(readonly Event[])])[] = [
  ["killed before its first swap", "folder", { moment: swap(2, "before"), disturbance: KILL }],
  [
    "killed after a step's last swap, before Postgres hears of it",
    "folder",
    { moment: swap(7, "after"), disturbance: KILL },
  ],
  ["killed after its first swap in S3, before the reply comes", "s3", { moment: swap(2, "after"), disturbance: KILL }],
  [
    "killed between two appends of a step to one table",
    "folder",
    { moment: { request: "record-commit", count: 1, side: "after" }, disturbance: KILL },
  ],
  [
    "killed between an overwrite and an append of a step to one table",
    "folder",
    { moment: { request: "record-commit", count: 4, side: "after" }, disturbance: KILL },
  ],
  [
    "killed after others have changed what it had read",
    "folder",
    { moment: { request: "record-read", count: 1, side: "after" }, disturbance: { kind: "others" } },
    { moment: { request: "store put manifest list", count: 1, side: "before" }, disturbance: KILL },
  ],
  [
    "frozen during the swap, and goes on after another has taken the run over",
    "folder",
    {
      moment: swap(2, "before"),
      disturbance: { kind: "freeze", target: "both", rivals: 1, isHeld: true, isLong: false },
    },
  ],
  [
    "frozen during the swap, and goes on after another has done the run",
    "s3",
    {
      moment: swap(2, "before"),
      disturbance: { kind: "freeze", target: "both", rivals: 1, isHeld: true, isLong: true },
    },
  ],
  [
    "cut off from Postgres during the swap, and goes on before it hears that another has done the run",
    "folder",
    { moment: swap(2, "before"), disturbance: { kind: "isolate", rivals: 1, isLong: true, ms: 8_000 } },
  ],
  [
    "not told by S3 that its swap has taken effect",
    "s3",
    { moment: swap(2, "after"), disturbance: { kind: "store", how: "reset", side: "after", times: 1 } },
  ],
  [
    "not told so however often it asks",
    "s3",
    { moment: swap(2, "after"), disturbance: { kind: "store", how: "500", side: "after", times: 8 } },
  ],
];

it.each(CASES.map(([what, store, ...events]) => [what, store, events] as const))(
  "a run that is %s has made each commit once, and all that is on record of it is true",
  async (_, store, events) => {
    const plan = { events, resumes: () => 1, partitions: 1, concurrency: 1, patienceSeconds: 30 };
    expect(await after(store, 0, plan)).toEqual({ broken: [], happened: events.length });
  },
  HANGS_MS,
);

it.each(SEEDS)(
  "a run over tables in a %s is recorded as though nothing had disturbed it: seed %i",
  async (store, seed) => {
    expect((await after(store, seed, lakePlanOf(seed))).broken).toEqual([]);
  },
  HANGS_MS,
);

it("has cases and seeds for every kind of disturbance", () => {
  const events = [...CASES.flatMap(([, , ...of]) => of), ...SEEDS.flatMap(([, seed]) => lakePlanOf(seed).events)];
  const kinds = events.map((event) => event.disturbance.kind);
  expect([...new Set(kinds)].sort()).toEqual([...new Set(LAKE_KINDS)].sort());
});
