/** A run, in the process that has its steps. */
import { EXIT } from "../core/errors.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { retryWaitMs } from "../core/retry.ts";
import { runInThisProcess } from "../run/run-in-memory.ts";
import { connectToOuter } from "../run/supervised.ts";
import { MemoryTables } from "../tables/memory-tables.ts";
import { ExitWith, type Terminal } from "./command-line.ts";
import type { RunArguments } from "./run-command.ts";
import { displayRun } from "./run-display.ts";
import { counted, lastGathers, outputsOf, summaryJson, summaryLines } from "./run-report.ts";

/** Runs in memory to the end, and exits by how it ended. @param graceMs how long a step may go on after it was told to stop. */
export async function runInside(
  pipeline: PipelineDefinition,
  keys: readonly PartitionKey[],
  { concurrency, isJson }: RunArguments,
  graceMs: number,
  terminal: Terminal,
): Promise<never> {
  const now = () => performance.now();
  const startedAt = now();
  using display = displayRun(pipeline, keys, isJson, terminal, now);
  using tables = new MemoryTables();
  const { signal, watchdog } = connectToOuter();
  signal.addEventListener("abort", () => display.stopping(), { once: true });
  display.lines.say(
    `${pipeline.name}: ${counted(keys.length, "partition")} (${spanOf(keys)}), in memory: nothing is recorded`,
  );
  const { end, journal } = await runInThisProcess(pipeline, {
    keys,
    tables,
    concurrency,
    kept: lastGathers(pipeline),
    log: (attempt, text) => display.lines.log(attempt.id, text),
    observer: display.observer,
    signal,
    watchdog,
    graceMs,
    retryWaitMs: (attempt) => retryWaitMs(attempt, Math.random()),
    ownsProcess: true,
  });
  display[Symbol.dispose]();
  const summary = {
    pipeline,
    partitionCount: keys.length,
    end,
    elapsedMs: now() - startedAt,
    failures: display.lines.failures,
    failureCount: display.lines.failureCount,
    outputs: outputsOf(pipeline, end, journal),
  };
  const text = isJson ? [JSON.stringify(summaryJson(summary), undefined, 2)] : summaryLines(summary);
  terminal.stdout.write(`${text.join("\n")}\n`);
  throw new ExitWith(EXIT[end.status]);
}

function spanOf(keys: readonly PartitionKey[]): string {
  return keys.length === 1 ? keys[0]! : `${keys[0]} to ${keys.at(-1)}`;
}
