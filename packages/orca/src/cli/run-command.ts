/** `run`: runs a pipeline over partitions, in this process. */
import { readFileSync } from "node:fs";
import { EXIT, OrcaError } from "../core/errors.ts";
import { Name } from "../core/keys/name.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import { checkedPartitions, partitionsIn } from "../core/partition-list.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { retryWaitMs } from "../core/retry.ts";
import { runInThisProcess } from "../run/run-in-memory.ts";
import { MemoryTables } from "../tables/memory-tables.ts";
import { exitProcess } from "./process-terminal.ts";
import { ExitWith, type Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { RunLines } from "./run-lines.ts";
import { RunLive } from "./run-live.ts";
import { SIGNALS } from "./signals.ts";
import { counted, lastGathers, outputsOf, summaryJson, summaryLines } from "./run-report.ts";

export interface RunArguments {
  /** As a person lists them: `2024-01..2024-03`, names, `@file:<path>`. */
  readonly partitions: string;
  readonly concurrency: number | undefined;
  readonly isJson: boolean;
}

/** Runs to the end, and exits by how it ended. */
export async function runCommandRun(
  pipeline: PipelineDefinition,
  given: RunArguments,
  environment: Environment,
  terminal: Terminal,
): Promise<never> {
  const keys = keysGiven(pipeline, given.partitions);
  const { stdout, stderr } = terminal;
  // with --json standard output is the result's alone, also for what steps print
  const out = given.isJson ? stderr : stdout;
  const now = () => performance.now();
  const startedAt = now();
  using display = displayFor(pipeline, keys, out, given.isJson, terminal, now);
  using cancel = cancelOnSignals(out, display);
  using tables = new MemoryTables();
  display.lines.say(
    `${pipeline.name}: ${counted(keys.length, "partition")} (${spanOf(keys)}), in memory: nothing is recorded`,
  );
  const { end, journal } = await runInThisProcess(pipeline, {
    keys,
    tables,
    concurrency: given.concurrency,
    kept: lastGathers(pipeline),
    log: (attempt, text) => display.lines.log(attempt.id, text),
    observer: display.observer,
    signal: cancel.signal,
    graceMs: environment.ORCA_GRACE_SECONDS * 1000,
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
  const text = given.isJson ? [JSON.stringify(summaryJson(summary), undefined, 2)] : summaryLines(summary);
  stdout.write(`${text.join("\n")}\n`);
  throw new ExitWith(EXIT[end.status]);
}

function keysGiven(pipeline: PipelineDefinition, text: string): readonly PartitionKey[] {
  const { name, partitions } = pipeline;
  if (partitions.kind !== "keyed") return partitionsIn(name, partitions, text);
  if (text === "@all")
    throw new OrcaError(
      "unsupported",
      `@all reads the keys from ${partitions.dataset}, and a run in memory has no tables: name the keys, or give a file of them with @file:<path>`,
    );
  return text.startsWith("@file:")
    ? checkedPartitions(name, partitions, namesInFile(text.slice("@file:".length)))
    : partitionsIn(name, partitions, text);
}

function namesInFile(path: string): readonly string[] {
  return linesOf(path).flatMap((line, i) => {
    try {
      return line.trim() === "" ? [] : [Name(line.trim())];
    } catch (cause) {
      throw new OrcaError("invalid-key", `line ${i + 1} of ${path}: ${(cause as Error).message}`, { cause });
    }
  });
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (cause) {
    throw new OrcaError("usage", `the file of keys '${path}' can't be read: ${(cause as Error).message}`, { cause });
  }
}

function spanOf(keys: readonly PartitionKey[]): string {
  return keys.length === 1 ? keys[0]! : `${keys[0]} to ${keys.at(-1)}`;
}

interface Display extends Disposable {
  readonly observer: RunLines | RunLive;
  readonly lines: RunLines;
  stopping(): void;
}

function displayFor(
  pipeline: PipelineDefinition,
  keys: readonly PartitionKey[],
  out: NodeJS.WriteStream,
  isJson: boolean,
  terminal: Terminal,
  now: () => number,
): Display {
  if (out.isTTY && !isJson && terminal.env["TERM"] !== "dumb") {
    const streams = [terminal.stdout, terminal.stderr].filter((s) => s.isTTY);
    const live = new RunLive(pipeline.steps, keys.length, out, streams, now);
    return {
      observer: live,
      lines: live.lines,
      stopping: () => live.stopping(),
      [Symbol.dispose]: () => live[Symbol.dispose](),
    };
  }
  const { stdout } = terminal;
  const write = stdout.write;
  if (isJson) stdout.write = out.write.bind<typeof write>(out);
  const lines = new RunLines((line) => out.write(`${line}\n`), false, now);
  return {
    observer: lines,
    lines,
    stopping: () => lines.say("cancelling: waiting for the running steps; another signal stops at once"),
    [Symbol.dispose]: () => {
      stdout.write = write;
    },
  };
}

/** Cancels on the first of these signals, and ends the process on the second. */
function cancelOnSignals(out: NodeJS.WriteStream, display: Display): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) {
      out.write("cancelled at once: the running steps were cut off\n");
      void exitProcess(EXIT.cancelled);
      return;
    }
    display.stopping();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
