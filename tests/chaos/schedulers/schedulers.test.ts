import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { workFolder } from "../../e2e/programs.ts";
import { runSeed } from "./seed.ts";
import { subjects } from "./subjects.ts";

/** Stand-ins, and a lake. `npm run chaos:schedulers` runs others. */
const SEEDS = [35, 36, 39];
/** A machine at work may take long: what hangs is found by nothing going on any more. */
const HANGS_MS = 1_200_000;

const work = workFolder();
const place = {
  server: path.resolve(import.meta.dirname, "../../../build/chaos-schedulers-postgres"),
  folder: work.path,
};
const subjectOf = subjects(work.path);

afterAll(() => work[Symbol.dispose]());

it.each(SEEDS)(
  "all that is due is done as often as it should be, and no oftener: seed %i",
  async (seed) => {
    const { broken, story } = await runSeed(seed, await subjectOf(seed), place);
    expect(broken, story.join("\n")).toEqual([]);
  },
  HANGS_MS,
);
