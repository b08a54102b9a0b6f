/** `orca`: builds pipelines, and runs their files without building. */
import { setFlagsFromString } from "node:v8";
import { basename, extname, join, relative } from "node:path";
import type { Command } from "commander";
import { OrcaError } from "../core/errors.ts";
import { wholeNumber } from "../core/number-text.ts";
import { commandNamed, valueGiven, type Terminal } from "./command-line.ts";
import { environmentOf, variablesHelp, type Environment } from "./environment.ts";
import { addPostgresCommands } from "./postgres-command.ts";
import { runNumber } from "./run-command.ts";
import { counted } from "./run-report.ts";
import { addScheduleCommands } from "./schedule-commands.ts";
import { onSignals } from "./signals.ts";
import { addUserCommands } from "./user-command.ts";
import { orcaVersion } from "./version.ts";

/** V8 gives the room that modules and pages take while they are young back to nobody, some 25 MB, and collects what is old late. */
const SMALL_HEAP = [
  "--optimize-for-size",
  "--semi-space-growth-factor=1",
  "--max-semi-space-size=1",
  "--heap-growing-percent=10",
];

/** The commands of `orca`. @param folder what relative paths are relative to. */
export function orcaCommand(terminal: Terminal, folder: string): Command {
  const command = commandNamed("orca").description("Builds data pipelines written in TypeScript, and runs them.");
  command.enablePositionalOptions(); // the words after dev's file are its program's, options too
  command
    .command("build")
    .description("make a pipeline's file one executable file")
    .argument("<file>", "the pipeline's file, such as lake.ts")
    .option("-o, --out <file>", "the file to write (default: build/ and the file's name)", valueGiven)
    .option("--no-native", "leave packages with native code out of the file: they are to be installed where it runs")
    .option("--s3-logs", "put what takes logs to s3:// into the file, also of a pipeline without tables")
    .option("--no-check", "leave out the type check, and the try whether the built file can describe itself")
    .addHelpText("after", variablesHelp(["ORCA_SOURCE", "ORCA_COMMIT", "ORCA_DIRTY"]))
    .action(async (file: string, options: { out?: string; native: boolean; s3Logs?: true; check: boolean }) => {
      const out = options.out ?? join("build", basename(file, extname(file)));
      await build({ ...options, file, out, folder }, environmentOf(terminal), terminal);
    });
  command
    .command("dev")
    .description("run a pipeline's file without building it")
    .argument("<file>", "the pipeline's file, such as lake.ts")
    .argument("[words...]", "what its program is given, such as run --partitions 2024-01")
    .passThroughOptions()
    .action(async (file: string, words: readonly string[]) => {
      const { runUnbuilt } = await import("./dev-command.ts");
      const environment = environmentOf(terminal, true); // its program warns
      // npm's users write -- before what is another program's
      await runUnbuilt(file, words[0] === "--" ? words.slice(1) : words, folder, environment);
    });
  command
    .command("runs")
    .description("show the newest runs")
    .argument("[pipeline]", "of this one only")
    .option("--limit <count>", "how many", valueGiven, "20")
    .option("--before <run>", "only those with smaller numbers", valueGiven)
    .option("--json", "write them as JSON")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL", "ORCA_STALE_SECONDS"]))
    .action(async (pipeline: string | undefined, options: { limit: string; before?: string; json?: true }) => {
      const { runsCommand } = await import("./runs-command.ts");
      const limit = wholeNumber(options.limit) ?? 0;
      if (limit < 1 || limit > RUNS_MAX)
        throw new OrcaError("usage", `--limit is '${options.limit}': it takes a whole number from 1 to ${RUNS_MAX}`);
      const before = options.before === undefined ? undefined : runNumber(options.before);
      await runsCommand({ pipeline, limit, before, isJson: options.json === true }, environmentOf(terminal), terminal);
    });
  command
    .command("cancel")
    .description("stop a run, or all runs of a backfill or a rebuild, and leave what they have done")
    .argument("[run]", "its number")
    .option("--backfill <number>", "instead of one run: all that are queued or going on of this backfill", valueGiven)
    .option("--rebuild <number>", "instead of one run: this rebuild, so that no further level is queued", valueGiven)
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL", "ORCA_STALE_SECONDS"]))
    .action(async (run: string | undefined, options: { backfill?: string; rebuild?: string }) => {
      const { cancelCommand } = await import("./cancel-command.ts");
      const given = { run, backfill: options.backfill, rebuild: options.rebuild };
      await cancelCommand(given, environmentOf(terminal), terminal);
    });
  command
    .command("lineage")
    .description("show what a snapshot of a dataset was made from, and what was made from it")
    .argument("<snapshot>", "such as lake.clean@123, or lake.clean for the newest that a run has made")
    .option("--rows", "show whose rows it has instead, by the table's files")
    .option("--json", "write it as JSON")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL"]))
    .action(async (snapshot: string, options: { rows?: true; json?: true }) => {
      const { lineageCommand } = await import("./lineage-command.ts");
      const asked = { isOfRows: options.rows === true, isJson: options.json === true };
      await lineageCommand(snapshot, asked, environmentOf(terminal), terminal);
    });
  command
    .command("ui")
    .description("show pipelines, runs and datasets as web pages, until it is stopped")
    .addHelpText(
      "after",
      variablesHelp([
        "ORCA_DATABASE_URL",
        "ORCA_UI_ADDR",
        "ORCA_UI_URL",
        "ORCA_DOCS_URL",
        "ORCA_LOGS",
        "ORCA_WAREHOUSE",
      ]),
    )
    .action(async () => {
      // from here on: it serves for weeks, and idles
      for (const flag of SMALL_HEAP) setFlagsFromString(flag);
      const { uiCommand } = await import("./ui-command.ts");
      await uiCommand(environmentOf(terminal), terminal);
    });
  command
    .command("preview")
    .description("write the first rows of a dataset as JSON: the UI asks it for what it shows of them")
    .argument("<dataset>", "a dataset's name or location")
    .addHelpText("after", variablesHelp(["ORCA_WAREHOUSE", "ORCA_WAREHOUSE_TOKEN", "ORCA_WAREHOUSE_CREDENTIAL"]))
    .action(async (dataset: string) => {
      const { previewCommand } = await import("./preview-command.ts");
      await previewCommand(dataset, environmentOf(terminal), terminal);
    });
  addScheduleCommands(command, terminal, folder);
  addUserCommands(command, terminal);
  addPostgresCommands(command, terminal, folder);
  for (const one of [command, ...command.commands]) showVersion(one);
  return command;
}

/** The most runs that are shown at once. */
const RUNS_MAX = 1_000;

async function build(
  given: {
    readonly file: string;
    readonly out: string;
    readonly native: boolean;
    readonly s3Logs?: true;
    readonly check: boolean;
    readonly folder: string;
  },
  { ORCA_SOURCE, ORCA_COMMIT, ORCA_DIRTY }: Environment,
  terminal: Terminal,
): Promise<void> {
  const startedAt = performance.now();
  const { buildPipeline } = await import("../registry/build.ts");
  using interrupted = abortOnSignals();
  const source = { repository: ORCA_SOURCE, commit: ORCA_COMMIT, dirty: ORCA_DIRTY };
  const { out, built, bytes, warnings } = await buildPipeline({ ...given, source, signal: interrupted.signal });
  for (const warning of warnings) terminal.stderr.write(`warning: ${warning}\n`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const steps = built.registry.complete ? `${counted(built.registry.steps.length, "step")}, ` : "";
  terminal.stdout.write(
    `built ${relative(given.folder, out)} in ${seconds} s: ${steps}${Math.round(bytes / 1024)} KiB, hash ${built.registry.hash}\n`,
  );
}

/** So that a build that is interrupted leaves no file behind. */
function abortOnSignals(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = () => controller.abort(new OrcaError("cancelled", "the build was interrupted: nothing is written"));
  const listening = onSignals(abort);
  return { signal: controller.signal, [Symbol.dispose]: () => listening[Symbol.dispose]() };
}

/** Commands say it too, as in `orca build -V`: `dev` needs options to have a place, and so the one of `orca` isn't taken after a command. */
function showVersion(command: Command): void {
  command.version(orcaVersion(), "-V, --version", "show the version");
}
