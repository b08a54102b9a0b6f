/**
 * The chaos suite: runs of a pipeline, disturbed as a seed says, whose records must be those of a run that nothing disturbed.
 *
 *     npm run chaos -- --seeds 200           seeds 0 to 199
 *     npm run chaos -- --seeds 50 --from 200
 *     npm run chaos -- --seed 17             one seed again, with its story
 *     npm run chaos -- --seeds 100 --over s3 runs that read and write tables, in a stand-in for S3; `--over folder`, in a folder
 *
 * Two seeds are run at a time, each with a Postgres of its own. Of a seed that fails it is printed what was done, and what is broken; it
 * does the same again, as far as processes that race each other can. It needs Linux.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { workFolder } from "../e2e/programs.ts";
import { runSeed, undisturbed } from "./run-seeds.ts";
import type { Place } from "./seed.ts";
import type { OutputRow } from "./invariants.ts";
import { lakePlanOf } from "./lake/plan.ts";
import { lakeSubjects, STORES } from "./lake/subject.ts";
import { planOf } from "./plan.ts";
import { stepsSubject } from "./steps.ts";

const WORKERS = 2;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    from: { type: "string", default: "0" },
    seed: { type: "string" },
    over: { type: "string", default: "steps" },
  },
});
const isOne = values.seed !== undefined;
const first = Number(values.seed ?? values.from);
const count = isOne ? 1 : Number(values.seeds);

const work = workFolder();
const kind = STORES.find((store) => store === values.over);
if (kind === undefined && values.over !== "steps") throw new Error(`--over is steps, ${STORES.join(" or ")}`);
const subject = kind === undefined ? await stepsSubject(work.path) : (await lakeSubjects(work.path))[kind];
const plan = kind === undefined ? planOf : lakePlanOf;

const startedAt = performance.now();
const seeds = Array.from({ length: count }, (_, i) => first + i).values();
const failed: number[] = [];
let [done, happened, eventCount, orphans] = [0, 0, 0, 0];
await Promise.all(Array.from({ length: isOne ? 1 : WORKERS }, (_, worker) => runSeeds(worker)));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(
  `${done} seeds from ${first} in ${seconds} s, with ${happened} of ${eventCount} disturbances: ${failed.length} failed`,
);
if (kind !== undefined) console.log(`${orphans} files of attempts that were cut off were left`);
for (const seed of failed) console.log(`  npm run chaos -- --seed ${seed} --over ${values.over}`);
work[Symbol.dispose]();
process.exit(failed.length === 0 ? 0 : 1);

async function runSeeds(worker: number): Promise<void> {
  const place: Place = {
    server: path.resolve(import.meta.dirname, `../../build/chaos-postgres-${worker}`),
    folder: work.path,
  };
  const outputs = new Map<number, readonly OutputRow[]>();
  for (const seed of seeds) {
    const planned = { seed, plan: plan(seed) };
    const { partitions, events } = planned.plan;
    const expected = outputs.get(partitions) ?? (await undisturbed(partitions, subject, place));
    outputs.set(partitions, expected);
    const result = await runSeed(planned, subject, place, expected);
    done++;
    happened += result.happened;
    orphans += result.orphans;
    eventCount += events.length;
    if (result.broken.length > 0) failed.push(seed);
    if (result.broken.length === 0 && !isOne) continue;
    const lines = [`seed ${seed}:`, ...result.story, ...result.broken.map((what) => `BROKEN: ${what}`)];
    console.log(lines.join("\n  "));
  }
}
