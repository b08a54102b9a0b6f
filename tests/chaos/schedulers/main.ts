/**
 * Schedulers, disturbed as a seed says: killed, their runs killed, Postgres restarted, the clock set back, and people doing at the same time what people
 * do. When they have come to rest, each fire, snapshot, key and retry must be there as often as it should, and so must the rows of the tables that
 * every tenth seed's runs write.
 *
 *     npm run chaos:schedulers -- --seeds 20
 *     npm run chaos:schedulers -- --seed 7       one seed again, with its story
 *
 * Two seeds are run at a time, each with a Postgres of its own. It needs Linux.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { workFolder } from "../../e2e/programs.ts";
import { runSeed } from "./seed.ts";
import { subjects } from "./subjects.ts";

const WORKERS = 2;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    from: { type: "string", default: "0" },
    seed: { type: "string" },
  },
});
const isOne = values.seed !== undefined;
const first = Number(values.seed ?? values.from);
const count = isOne ? 1 : Number(values.seeds);

using work = workFolder();
const subjectOf = subjects(work.path);
const startedAt = performance.now();
const seeds = Array.from({ length: count }, (_, i) => first + i).values();
const failed: number[] = [];
await Promise.all(Array.from({ length: isOne ? 1 : WORKERS }, (_, worker) => runSeeds(worker)));
console.log(`${count} seeds from ${first} in ${secondsSince(startedAt)} s: ${failed.length} failed`);
for (const seed of failed) console.log(`  npm run chaos:schedulers -- --seed ${seed}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runSeeds(worker: number): Promise<void> {
  const server = path.resolve(import.meta.dirname, `../../../build/chaos-postgres-schedulers-${worker}`);
  for (const seed of seeds) {
    const seedStartedAt = performance.now();
    const { broken, story } = await runSeed(seed, await subjectOf(seed), { server, folder: work.path });
    if (broken.length > 0) failed.push(seed);
    const lines = broken.length > 0 || isOne ? [...story, ...broken.map((what) => `BROKEN: ${what}`)] : [];
    const took = `seed ${seed} in ${secondsSince(seedStartedAt)} s${broken.length > 0 ? ", failed:" : ""}`;
    console.log([took, ...lines].join("\n  "));
  }
}

function secondsSince(at: number): string {
  return ((performance.now() - at) / 1000).toFixed(0);
}
