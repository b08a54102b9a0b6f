/** Many keys through one step that does nothing, in memory: steps a second, and memory as keys get done. */
import { keyed, mapped, Name, pipeline } from "orcajs";
import type { PipelineDefinition } from "../../packages/orca/dist/core/pipeline-definition.js";
import { runInThisProcess } from "../../packages/orca/dist/run/run-in-memory.js";
import { SqlTables } from "../../packages/orca/dist/tables/sql/sql-tables.js";
import { measured, row } from "./measure.ts";

const nothing = mapped("nothing", async (_ctx, _key: Name) => undefined);
const manyKeys = pipeline("many-keys", { steps: [nothing], partitions: keyed("bench.keys", "key") });

export async function benchManyKeys(count: number, rounds: number): Promise<readonly string[]> {
  const keys = Array.from({ length: count }, (_, i) => Name(`key-${String(i).padStart(7, "0")}`));
  const rates: number[] = [];
  const bare: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const [ours, baseline] = [await rateOfRun(keys), await rateOfLoop(keys)];
    if (round < 0) continue;
    rates.push(ours);
    bare.push(baseline);
  }
  const [ours, baseline] = [measured(rates), measured(bare)];
  return [
    `${count.toLocaleString("en-US")} keys through one step that does nothing, in memory`,
    row("keys a second", ours, "k/s"),
    row("a bare loop that awaits the same function, 2 at a time", baseline, "k/s"),
    `  heap kept for each key done: ${(await heapPerKey(keys)).toFixed(1)} bytes`,
  ];
}

async function rateOfRun(keys: readonly Name[], onAttempt = () => {}): Promise<number> {
  const startedAt = performance.now();
  const { end } = await runInThisProcess(manyKeys as unknown as PipelineDefinition, {
    keys,
    tables: new SqlTables(),
    kept: [],
    log: () => {},
    observer: { attemptStarted: onAttempt, attemptEnded: () => {}, skipped: () => {}, stray: () => {} },
    signal: new AbortController().signal,
    graceMs: 1_000,
    retryWaitMs: () => 0,
    ownsProcess: true,
  });
  if (end.status !== "succeeded") throw new Error(`the run ${end.status}`);
  return keys.length / (performance.now() - startedAt);
}

async function rateOfLoop(keys: readonly Name[]): Promise<number> {
  const startedAt = performance.now();
  const queue = keys.values();
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      for (const key of queue) await nothing.fn(undefined as never, key);
    }),
  );
  return keys.length / (performance.now() - startedAt);
}

/** The heap in use at nine tenths of the keys, beyond that at one tenth, with the garbage collected at both. */
async function heapPerKey(keys: readonly Name[]): Promise<number> {
  const [first, last] = [Math.floor(keys.length / 10), Math.floor((keys.length * 9) / 10)];
  const used: number[] = [];
  let attempts = 0;
  await rateOfRun(keys, () => {
    attempts++;
    if (attempts !== first && attempts !== last) return;
    globalThis.gc!();
    used.push(process.memoryUsage().heapUsed);
  });
  return (used[1]! - used[0]!) / (last - first);
}
