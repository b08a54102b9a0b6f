/** Times commands and prints what came of it. */
import { spawnSync } from "node:child_process";

/** The middle one of several measurements, with the least and the most. */
export interface Measured {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function measured(values: readonly number[]): Measured {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)]!, min: sorted[0]!, max: sorted.at(-1)! };
}

/**
 * Whole processes, each timed from its start to its end, in turns so that all meet the same noise; one round before is not counted.
 *
 * @returns milliseconds, in the order of the commands.
 */
export function timeCommands(commands: readonly (readonly string[])[], rounds: number): readonly Measured[] {
  const times = commands.map((): number[] => []);
  for (let round = -1; round < rounds; round++)
    for (const [i, [program, ...words]] of commands.entries()) {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(program!, words, { encoding: "utf8" });
      if (status !== 0) throw new Error(`${[program, ...words].join(" ")} exited with ${status}: ${stderr}`);
      if (round >= 0) times[i]!.push(performance.now() - startedAt);
    }
  return times.map(measured);
}

/** One line of a report. */
export function row(what: string, { median, min, max }: Measured, unit = "ms"): string {
  const n = (value: number) => value.toFixed(unit === "ms" ? 0 : 1);
  return `  ${what.padEnd(56)} ${`${n(median)} ${unit}`.padStart(12)}   (${n(min)} to ${n(max)})`;
}
