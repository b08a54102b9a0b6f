/** What `run` and `resume` take on the command line. */
import { Option, type Command } from "commander";
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { partitionsExample } from "../core/partition-list.ts";
import { CONCURRENCY_MAX } from "../core/pipeline-definition.ts";
import { valueGiven, type Terminal } from "./command-line.ts";
import { variablesHelp, type Environment } from "./environment.ts";
import type { RunManner, Runnable } from "./run-command.ts";

/** Adds both to a program's commands. @param runnable what they run; it throws on a file without a pipeline. */
export function addRunCommands(
  command: Command,
  runnable: () => Runnable,
  environment: () => Environment,
  terminal: Terminal,
): void {
  command
    .command("run")
    .description("run it over partitions, and exit by how the run ended")
    .option(
      "--partitions <list>",
      "months or days, KEY[..KEY][,…]; names, @all, or @file:<path> with a name a line",
      listed,
    )
    .option("--concurrency <count>", "how many partitions are worked on at once", valueGiven)
    .option("--json", "write the result as JSON, and progress to standard error")
    .addHelpText("after", variablesHelp(VARIABLES_OF_RUNS))
    .action(async ({ partitions, ...options }: MannerOptions & { partitions?: string }) => {
      const { runCommand } = await import("./run-command.ts");
      const { pipeline, version } = runnable();
      if (partitions === undefined)
        throw new OrcaError("usage", `run needs --partitions: write ${partitionsExample(pipeline.partitions)}`);
      await runCommand({ pipeline, version }, partitions, mannerFrom(options), environment(), terminal);
    });
  command
    .command("resume")
    .description("go on with a run that has stopped: run again what of it hasn't succeeded")
    .argument("<run>", "its number")
    .option("--allow-new-code", "also if it was begun by other code")
    .addOption(new Option("--launch <token>", "by which a scheduler holds the run for this process").hideHelp())
    .option("--concurrency <count>", "how many partitions are worked on at once", valueGiven)
    .option("--json", "write the result as JSON, and progress to standard error")
    .addHelpText("after", variablesHelp(VARIABLES_OF_RUNS))
    .action(async (run: string, { allowNewCode, launch, ...options }: MannerOptions & ResumeOptions) => {
      const { resumeCommand } = await import("./run-command.ts");
      const claim = { allowsNewCode: allowNewCode === true, launch };
      await resumeCommand(runnable(), run, claim, mannerFrom(options), environment(), terminal);
    });
}

const VARIABLES_OF_RUNS = [
  "ORCA_DATABASE_URL",
  "ORCA_DATABASE_PATIENCE_SECONDS",
  "ORCA_STALE_SECONDS",
  "ORCA_GRACE_SECONDS",
  "ORCA_WAREHOUSE",
  "ORCA_LOGS",
  "ORCA_LOG_STAGE",
  "ORCA_LOG_FLUSH_SECONDS",
] as const;

interface ResumeOptions {
  readonly allowNewCode?: true;
  readonly launch?: string;
}

interface MannerOptions {
  readonly concurrency?: string;
  readonly json?: true;
}

function mannerFrom({ concurrency, json }: MannerOptions): RunManner {
  return { concurrency: concurrencyFrom(concurrency), isJson: json === true };
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
