/** A command's arguments, and how it ends: one sentence and an exit code, never a stack trace. */
import { DistaError } from "@orcajs/dista";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { DISTA_EXITS, ERRORS, EXIT, OrcaError } from "../core/errors.ts";

/** Where a command writes, and what it is given. */
export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The instant at which the command was called. */
  readonly now: Date;
}

/** Writes warnings, each a sentence. */
export function warningsOf({ stderr }: Terminal): (sentence: string) => void {
  return (sentence) => void stderr.write(`warning: ${sentence}\n`);
}

/** A command with our ways: mistakes are thrown as errors, and name the nearest known word. */
export function commandNamed(name: string): Command {
  return new Command(name)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ writeErr: () => {} }) // the error is thrown as well, and written once
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .helpOption("-h, --help", "show this help")
    .helpCommand(false);
}

/** The value of an option. One that begins as an option does was forgotten: `--partitions --json` would be a run of the key `--json`. */
export function valueGiven(text: string): string {
  if (text.startsWith("--")) throw new InvalidArgumentError("It is an option: the value is missing before it.");
  return text;
}

/**
 * Runs a command to its exit code.
 *
 * @param words the arguments, without the program.
 */
export async function runWords(command: Command, words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const unfinished = withoutItsCommand(command, words);
    if (unfinished !== undefined) {
      terminal.stderr.write(unfinished.helpInformation());
      return EXIT.usage;
    }
    await command.parseAsync(words, { from: "user" });
    return EXIT.succeeded;
  } catch (error) {
    if (error instanceof ExitWith) return error.exitCode;
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.succeeded; // --help, --version
    const sentence = sentenceOf(error);
    // editors look for a place at the start of a line
    terminal.stderr.write(`${/^\S+:\d+:\d+: /.test(sentence) ? "" : "error: "}${sentence}\n`);
    return exitCodeOf(error);
  }
}

/** The command that words end at although one of its own must follow. */
function withoutItsCommand(command: Command, [first, ...rest]: readonly string[]): Command | undefined {
  if (first === undefined) return command.commands.length > 0 ? command : undefined;
  const next = command.commands.find((one) => one.name() === first);
  return next && withoutItsCommand(next, rest);
}

/** Ends a command with an exit code, when what there is to say has been said. */
export class ExitWith extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** How a program that met an error exits. What isn't ours is a fault of the program or of its code. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return EXIT.usage;
  if (error instanceof DistaError) return EXIT[DISTA_EXITS[error.code]];
  if (isOutOfReach(error)) return EXIT["out-of-reach"];
  return error instanceof OrcaError ? EXIT[ERRORS[error.code].exit] : EXIT.failed;
}

/** Whether it says that a warehouse can't be reached. Its classes aren't loaded to know that. */
function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  return error.name === "ObjectStoreError"
    ? ["unreachable", "access-denied"].includes(String(error.code))
    : error.name === "IcebergError" && error.code === "catalog-failed";
}

/** An error for a person: its message on its own. */
function sentenceOf(error: unknown): string {
  if (error instanceof CommanderError)
    return error.message
      .replace(/^error: /, "")
      .replace(/\n+/g, " ")
      .trim();
  return error instanceof Error ? error.message : String(error);
}
