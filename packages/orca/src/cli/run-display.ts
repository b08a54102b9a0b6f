/** How a run shows its progress: drawn where a person watches, and as lines elsewhere. */
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { Terminal } from "./command-line.ts";
import { RunLines } from "./run-lines.ts";
import { endsLine, RunLive } from "./run-live.ts";

export interface Display extends Disposable {
  readonly observer: RunLines | RunLive;
  readonly lines: RunLines;
  /** Says in the drawing that the run is being cancelled. */
  stopping(): void;
}

/** Where progress is written: with `--json` standard output is the result's alone, also for what steps print. */
export function progressStream(isJson: boolean, { stdout, stderr }: Terminal): NodeJS.WriteStream {
  return isJson ? stderr : stdout;
}

/** Whether progress is drawn again and again rather than written in lines. */
export function isDrawn(isJson: boolean, { stdout, env }: Terminal): boolean {
  return stdout.isTTY && !isJson && env["TERM"] !== "dumb";
}

/**
 * Shows a run's progress until it is disposed.
 *
 * @param doneBefore how many partitions of a step an earlier process has done.
 * @param now a clock, in milliseconds.
 */
export function displayRun(
  pipeline: PipelineDefinition,
  partitionCount: number,
  doneBefore: (step: string) => number,
  isJson: boolean,
  terminal: Terminal,
  now: () => number,
): Display {
  const out = progressStream(isJson, terminal);
  if (isDrawn(isJson, terminal)) {
    const streams = [terminal.stdout, terminal.stderr].filter((s) => s.isTTY);
    const live = new RunLive(pipeline.steps, partitionCount, doneBefore, out, streams, now);
    return {
      observer: live,
      lines: live.lines,
      stopping: () => live.stopping(),
      [Symbol.dispose]: () => live[Symbol.dispose](),
    };
  }
  const { stdout } = terminal;
  const { write } = stdout;
  const print = out.write.bind<typeof write>(out); // as it is now: what replaces it later takes what steps print
  let isMidLine = false;
  stdout.write = ((...args: Parameters<typeof write>) => {
    isMidLine = !endsLine(args[0]);
    return print(...args);
  }) as typeof write;
  const lines = new RunLines(
    (line) => {
      print(isMidLine ? `\n${line}\n` : `${line}\n`);
      isMidLine = false;
    },
    false,
    now,
  );
  return {
    observer: lines,
    lines,
    stopping: () => {}, // the outer process says it
    [Symbol.dispose]: () => {
      stdout.write = write;
    },
  };
}
