/** The program that a pipeline is: `describe`, `run` and `fires`. */
import { basename } from "node:path";
import { describePipeline } from "../core/describe.ts";
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { partitionsExample } from "../core/partition-list.ts";
import { CONCURRENCY_MAX, isPipeline, tasksOf, type PipelineDefinition } from "../core/pipeline-definition.ts";
import { namedHashes, type Built } from "../registry/built.ts";
import { isSupervised } from "../run/supervision.ts";
import type { Command } from "commander";
import { commandNamed, runWords, type Terminal } from "./command-line.ts";
import { readEnvironment, variablesHelp } from "./environment.ts";

/** A pipeline's file, as a program. */
export interface Program {
  /** How it was called. */
  readonly path: string;
  /** The file's default export. */
  readonly exported: unknown;
  /** What the build knows of its code, or undefined for a file that wasn't built. */
  readonly built: Built | undefined;
}

/** Runs a pipeline's program to its exit code. */
export async function runPipelineProgram(
  program: Program,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return await runWords(pipelineCommand(program, terminal), words, terminal);
}

/** The commands of a pipeline's program. */
export function pipelineCommand({ path, exported, built }: Program, terminal: Terminal): Command {
  const command = commandNamed(basename(path));
  const warn = (sentence: string) => {
    if (!isSupervised()) terminal.stderr.write(`warning: ${sentence}\n`); // the outer process has said it
  };
  const environment = () => readEnvironment(terminal.env, warn);
  // what the default export is wrong about is said by the commands, so that --help is there all the same
  const pipeline = () => pipelineFrom(exported, path);

  command.description(isPipeline(exported) ? `The pipeline '${exported.name}'.` : "A pipeline.");
  command
    .command("describe")
    .description("show its steps, partitions, schedule, datasets and code, as JSON")
    .option("--json", "is what it writes in any case")
    .action(() => {
      terminal.stdout.write(`${JSON.stringify(described(pipeline(), built), undefined, 2)}\n`);
    });
  command
    .command("run")
    .description("run it over partitions, and exit by how the run ended")
    .option("--partitions <list>", "months or days, KEY[..KEY][,…]; names, or @file:<path> with a name a line", listed)
    .option("--concurrency <count>", "how many partitions are worked on at once")
    .option("--json", "write the result as JSON, and progress to standard error")
    .addHelpText("after", variablesHelp(["ORCA_GRACE_SECONDS"]))
    .action(async (options: { partitions?: string; concurrency?: string; json?: true }) => {
      const { runCommand } = await import("./run-command.ts");
      const { partitions } = pipeline();
      if (options.partitions === undefined)
        throw new OrcaError("usage", `run needs --partitions: write ${partitionsExample(partitions)}`);
      const given = {
        partitions: options.partitions,
        concurrency: concurrencyFrom(options.concurrency),
        isJson: options.json === true,
      };
      await runCommand(pipeline(), given, environment(), terminal);
    });
  command
    .command("fires")
    .description("show when it is due next, and the partition that each fire fills")
    .argument("[count]", "how many", "10")
    .option("--after <instant>", "count from then, such as 2024-01-31T09:30:00Z (default: now)")
    .option("--json", "write them as JSON")
    .addHelpText("after", variablesHelp(["ORCA_NOW"]))
    .action(async (count: string, options: { after?: string; json?: true }) => {
      const { firesCommand } = await import("./fires-command.ts");
      const given = { count, after: options.after, isJson: options.json === true };
      firesCommand(pipeline(), given, environment().ORCA_NOW ?? terminal.now, terminal);
    });
  return command;
}

function described(pipeline: PipelineDefinition, built: Built | undefined): object {
  if (built === undefined) return describePipeline(pipeline, null, null);
  const tasks = [...tasksOf(pipeline.steps).keys()];
  const code = namedHashes(
    built.registry,
    pipeline.steps.map((s) => s.name),
    tasks,
  );
  return describePipeline(pipeline, code, built.source);
}

function pipelineFrom(exported: unknown, path: string): PipelineDefinition {
  if (isPipeline(exported)) return exported;
  const end = "end the file with export default pipeline(…)";
  throw new OrcaError(
    "invalid-pipeline",
    exported === undefined
      ? `${basename(path)} has no default export: ${end}`
      : `${basename(path)}'s default export isn't a pipeline: ${end}`,
  );
}

/** An option that is given again adds to the list. */
function listed(more: string, before: string | undefined): string {
  return before === undefined ? more : `${before},${more}`;
}

function concurrencyFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = wholeNumber(text) ?? 0;
  if (count >= 1 && count <= CONCURRENCY_MAX) return count;
  throw new OrcaError("usage", `--concurrency is '${text}': it takes a whole number from 1 to ${CONCURRENCY_MAX}`);
}
