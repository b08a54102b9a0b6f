/**
 * Schedulers, disturbed as a seed says: killed, their runs killed, Postgres restarted, the clock set back, and people doing at the same time what people
 * do. When they have come to rest, each fire, snapshot, key and retry must be there as often as it should.
 *
 *     npm run chaos:schedulers -- --seeds 20
 *     npm run chaos:schedulers -- --seed 7       one seed again, with its story
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { workFolder } from "../../e2e/programs.ts";
import { runSeed } from "./seed.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    from: { type: "string", default: "0" },
    seed: { type: "string" },
  },
});
const isOne = values.seed !== undefined;
const first = Number(values.seed ?? values.from);
const server = path.resolve(import.meta.dirname, "../../../build/chaos-postgres-schedulers");
using work = workFolder();
const failed: number[] = [];
const startedAt = performance.now();
const count = isOne ? 1 : Number(values.seeds);
for (let seed = first; seed < first + count; seed++) {
  const { broken, story } = await runSeed(seed, server, path.join(work.path, `seed-${seed}`));
  if (broken.length > 0) failed.push(seed);
  if (broken.length > 0 || isOne)
    console.log([`seed ${seed}:`, ...story, ...broken.map((what) => `BROKEN: ${what}`)].join("\n  "));
}
console.log(
  `${count} seeds from ${first} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${failed.length} failed`,
);
for (const seed of failed) console.log(`  npm run chaos:schedulers -- --seed ${seed}`);
process.exitCode = failed.length === 0 ? 0 : 1;
