/** The program that a pipeline is: `describe`, `run` and `fires`. */
import { basename } from "node:path";
import { describePipeline, type CodeHashes } from "../core/describe.ts";
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { partitionsExample } from "../core/partition-list.ts";
import { CONCURRENCY_MAX, isPipeline, tasksOf, type PipelineDefinition } from "../core/pipeline-definition.ts";
import { namedHashes, type Built } from "../registry/built.ts";
import type { RunManner } from "./run-command.ts";
import type { Version } from "../state/versions.ts";
import { isSupervised } from "../run/supervision.ts";
import type { Command } from "commander";
import { commandNamed, runWords, valueGiven, type Terminal } from "./command-line.ts";
import { environmentOf, variablesHelp, type Environment } from "./environment.ts";

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
  let environment: Environment;
  command.hook("preAction", () => {
    environment = environmentOf(terminal, isSupervised()); // the outer process has warned
  });
  // what the default export is wrong about is said by the commands, so that --help is there all the same
  const pipeline = () => pipelineFrom(exported, path);
  const runnable = () => ({
    pipeline: pipeline(),
    version: built === undefined ? undefined : versionOf(pipeline(), built),
  });

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
    .option("--concurrency <count>", "how many partitions are worked on at once", valueGiven)
    .option("--json", "write the result as JSON, and progress to standard error")
    .addHelpText("after", variablesHelp(RUN_VARIABLES))
    .action(async ({ partitions, ...options }: MannerOptions & { partitions?: string }) => {
      const { runCommand } = await import("./run-command.ts");
      const { pipeline, version } = runnable();
      if (partitions === undefined)
        throw new OrcaError("usage", `run needs --partitions: write ${partitionsExample(pipeline.partitions)}`);
      await runCommand({ pipeline, version }, partitions, mannerFrom(options), environment, terminal);
    });
  command
    .command("resume")
    .description("go on with a run that has stopped: run again what of it hasn't succeeded")
    .argument("<run>", "its number")
    .option("--allow-new-code", "also if it was begun by other code")
    .option("--concurrency <count>", "how many partitions are worked on at once", valueGiven)
    .option("--json", "write the result as JSON, and progress to standard error")
    .addHelpText("after", variablesHelp(RUN_VARIABLES))
    .action(async (run: string, { allowNewCode, ...options }: MannerOptions & { allowNewCode?: true }) => {
      const { resumeCommand } = await import("./run-command.ts");
      const isAllowed = allowNewCode === true;
      await resumeCommand(runnable(), run, isAllowed, mannerFrom(options), environment, terminal);
    });
  command
    .command("status")
    .description("show how a run stands")
    .argument("<run>", "its number")
    .option("--json", "write it as JSON")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL", "ORCA_STALE_SECONDS"]))
    .action(async (run: string, { json }: { json?: true }) => {
      const { statusCommand } = await import("./status-command.ts");
      await statusCommand(pipeline(), run, json === true, environment, terminal);
    });
  command
    .command("fires")
    .description("show when it is due next, and the partition that each fire fills")
    .argument("[count]", "how many", "10")
    .option("--after <instant>", "count from then, such as 2024-01-31T09:30:00Z (default: now)", valueGiven)
    .option("--json", "write them as JSON")
    .addHelpText("after", variablesHelp(["ORCA_NOW"]))
    .action(async (count: string, options: { after?: string; json?: true }) => {
      const { firesCommand } = await import("./fires-command.ts");
      const given = { count, after: options.after, isJson: options.json === true };
      firesCommand(pipeline(), given, environment.ORCA_NOW ?? terminal.now, terminal);
    });
  return command;
}

const RUN_VARIABLES = [
  "ORCA_DATABASE_URL",
  "ORCA_DATABASE_PATIENCE_SECONDS",
  "ORCA_STALE_SECONDS",
  "ORCA_GRACE_SECONDS",
  "ORCA_LOGS",
] as const;

interface MannerOptions {
  readonly concurrency?: string;
  readonly json?: true;
}

function mannerFrom({ concurrency, json }: MannerOptions): RunManner {
  return { concurrency: concurrencyFrom(concurrency), isJson: json === true };
}

function codeOf(pipeline: PipelineDefinition, { registry }: Built): CodeHashes {
  const tasks = [...tasksOf(pipeline.steps).keys()];
  return namedHashes(
    registry,
    pipeline.steps.map((s) => s.name),
    tasks,
  );
}

function versionOf(pipeline: PipelineDefinition, built: Built): Version {
  const { hash, steps } = codeOf(pipeline, built);
  const { repository, commit, dirty } = built.source;
  const stepHashes = Object.fromEntries(steps.map((s) => [s.name, s.hash]));
  return { registryHash: hash, stepHashes, repository, commit, dirty };
}

function described(pipeline: PipelineDefinition, built: Built | undefined): object {
  if (built === undefined) return describePipeline(pipeline, null, null);
  return describePipeline(pipeline, codeOf(pipeline, built), built.source);
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
  const list = valueGiven(more);
  return before === undefined ? list : `${before},${list}`;
}

function concurrencyFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = wholeNumber(text) ?? 0;
  if (count >= 1 && count <= CONCURRENCY_MAX) return count;
  throw new OrcaError("usage", `--concurrency is '${text}': it takes a whole number from 1 to ${CONCURRENCY_MAX}`);
}
