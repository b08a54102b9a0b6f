/** The `orca` command's program. */
import { runWords } from "./cli/command-line.ts";
import { orcaCommand } from "./cli/orca-command.ts";
import { exitProcess, explainFaults, processTerminal } from "./cli/process-terminal.ts";

/** Runs the command that this process was called with, and ends the process with its exit code. */
export async function main(): Promise<void> {
  const terminal = processTerminal();
  explainFaults();
  await exitProcess(await runWords(orcaCommand(terminal, process.cwd()), process.argv.slice(2), terminal));
}
