/** The program that a pipeline is, and its commands. */
import { basename } from "node:path";
import { OrcaError } from "../core/errors.ts";
import { isSupervised } from "../registry/supervised.ts";
import { isPipeline, type PipelineDefinition } from "../core/pipeline-definition.ts";
import type { Built } from "../registry/built.ts";
import type { Command } from "commander";
import { commandNamed, runWords, valueGiven, type Terminal } from "./command-line.ts";
import { environmentOf, variablesHelp, type Environment } from "./environment.ts";
import { described, versionOf } from "./program-code.ts";
import { addRunCommands } from "./run-options.ts";

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
  addRunCommands(command, runnable, () => environment, terminal);
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
  command
    .command("keys")
    .description("show the keys that there are now, after the snapshot that has them: of a keyed pipeline")
    .option("--json", "write them as JSON")
    .addHelpText("after", variablesHelp(["ORCA_WAREHOUSE"]))
    .action(async ({ json }: { json?: true }) => {
      const { keysCommand } = await import("./keys-command.ts");
      await keysCommand(pipeline(), json === true, environment, terminal);
    });
  command
    .command("sense")
    .description("show the current snapshot of each dataset that it reads")
    .option("--json", "write them as JSON")
    .addHelpText("after", variablesHelp(["ORCA_WAREHOUSE"]))
    .action(async ({ json }: { json?: true }) => {
      const { senseCommand } = await import("./sense-command.ts");
      await senseCommand(pipeline(), json === true, environment, terminal);
    });
  command
    .command("sample")
    .description("write what the machine is doing, as lines of JSON, until it is stopped")
    .addHelpText("after", variablesHelp(["ORCA_SAMPLE_SECONDS"]))
    .action(async () => {
      const { sampleCommand } = await import("./sample-command.ts");
      await sampleCommand(environment, terminal);
    });
  return command;
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
