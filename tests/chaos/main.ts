/**
 * The chaos suite: runs of a pipeline, disturbed as a seed says, whose records must be those of a run that nothing disturbed.
 *
 *     npm run chaos -- --seeds 200           seeds 0 to 199
 *     npm run chaos -- --seeds 50 --from 200
 *     npm run chaos -- --seed 17             one seed again, with its story
 *
 * Two seeds are run at a time, each with a Postgres of its own. Of a seed that fails it is printed what was done, and what is broken; it
 * does the same again, as far as processes that race each other can. It needs Linux.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { callOrca, workFolder } from "../e2e/programs.ts";
import { runSeed, undisturbed } from "./run-seeds.ts";
import type { Place } from "./seed.ts";
import type { OutputRow } from "./invariants.ts";
import { planOf } from "./plan.ts";

const WORKERS = 2;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    from: { type: "string", default: "0" },
    seed: { type: "string" },
  },
});
const isOne = values.seed !== undefined;
const first = Number(values.seed ?? values.from);
const count = isOne ? 1 : Number(values.seeds);

const work = workFolder();
const program = path.join(work.path, "chaos");
const built = await callOrca(["build", path.join(import.meta.dirname, "pipeline.ts"), "-o", program]);
if (built.code !== 0) throw new Error(built.stderr);

const startedAt = performance.now();
const seeds = Array.from({ length: count }, (_, i) => first + i).values();
const failed: number[] = [];
let [done, happened, planned] = [0, 0, 0];
await Promise.all(Array.from({ length: isOne ? 1 : WORKERS }, (_, worker) => runSeeds(worker)));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
console.log(
  `${done} seeds from ${first} in ${seconds} s, with ${happened} of ${planned} disturbances: ${failed.length} failed`,
);
for (const seed of failed) console.log(`  npm run chaos -- --seed ${seed}`);
work[Symbol.dispose]();
process.exit(failed.length === 0 ? 0 : 1);

async function runSeeds(worker: number): Promise<void> {
  const place: Place = {
    program,
    server: path.resolve(import.meta.dirname, `../../build/chaos-postgres-${worker}`),
    folder: work.path,
  };
  const outputs = new Map<number, readonly OutputRow[]>();
  for (const seed of seeds) {
    const { partitions, events } = planOf(seed);
    const expected = outputs.get(partitions) ?? (await undisturbed(partitions, place));
    outputs.set(partitions, expected);
    const result = await runSeed(seed, place, expected);
    done++;
    happened += result.happened;
    planned += events.length;
    if (result.broken.length > 0) failed.push(seed);
    if (result.broken.length === 0 && !isOne) continue;
    const lines = [`seed ${seed}:`, ...result.story, ...result.broken.map((what) => `BROKEN: ${what}`)];
    console.log(lines.join("\n  "));
  }
}
