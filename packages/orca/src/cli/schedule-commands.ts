/** `orca register` and the other commands of schedules. */
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { OrcaError } from "../core/errors.ts";
import { logPlace } from "../logs/log-place.ts";
import type { Scheduling } from "../scheduler/tick.ts";
import type { BackfillGiven } from "./backfill-command.ts";
import { actor } from "./actor.ts";
import { valueGiven, warningsOf, type Terminal } from "./command-line.ts";
import type { OpenDatabase } from "./database.ts";
import { environmentOf, variablesHelp, type Environment } from "./environment.ts";
import { compiledIn } from "../scheduler/kept-programs.ts";
import { programsIn } from "./programs-of.ts";
import { needsDatabase } from "./run-command.ts";
import { counted } from "./run-report.ts";
import { onSignals } from "./signals.ts";

export function addScheduleCommands(command: Command, terminal: Terminal, folder: string): void {
  command
    .command("register")
    .description("let the scheduler start runs of a pipeline")
    .argument("<file>", "its program, as orca build makes it, or its .ts file, which is built")
    .option("--notify <url>", "post to this URL when runs fail, recover, or are late", valueGiven)
    .option("--no-notify", "post nowhere any more")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL", "ORCA_PROGRAMS", "ORCA_NOW"]))
    .action(async (file: string, { notify }: { notify?: string | false }) => {
      await register(resolve(folder, file), notify, environmentOf(terminal), terminal);
    });
  const ofPipeline = (name: string, description: string, does: string) =>
    command
      .command(name)
      .description(description)
      .argument("<pipeline>", "its name")
      .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL"]))
      .action(async (pipeline: string) => {
        await using open = await openFor(environmentOf(terminal), terminal);
        const { pausePipeline, unregisterPipeline } = await import("../state/registration.ts");
        if (name === "unregister") await unregisterPipeline(open.database, pipeline, actor());
        else await pausePipeline(open.database, pipeline, name === "pause", actor());
        terminal.stdout.write(`${pipeline} ${does}\n`);
      });
  ofPipeline("unregister", "have the scheduler start no more runs of a pipeline", "isn't registered any more");
  ofPipeline("pause", "start none of a pipeline's queued runs until it is unpaused", "is paused: its runs stay queued");
  ofPipeline("unpause", "start a paused pipeline's runs again", "isn't paused any more");
  command
    .command("backfill")
    .description("queue runs for the partitions of a pipeline that aren't done")
    .argument("<pipeline>", "its name")
    .argument("<keys>", "months or days, KEY[..KEY][,…]; names, @all, or @file:<path> with one a line")
    .option("--rerun", "also those that are done")
    .option("--reverse", "the last first")
    .option("--max-runs <count>", "how many of them may go on at once, if fewer than of the pipeline", valueGiven)
    .option("--dry-run", "only say what would be queued")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL", "ORCA_WAREHOUSE"]))
    .action(async (pipeline: string, keys: string, options: Omit<BackfillGiven, "pipeline" | "keys" | "actor">) => {
      await using open = await openFor(environmentOf(terminal), terminal);
      const { backfillCommand } = await import("./backfill-command.ts");
      await backfillCommand(open, { pipeline, keys, ...options, actor: actor() }, terminal);
    });
  command
    .command("rebuild")
    .description("run anew all that is made from partitions of a dataset, in order")
    .argument("<dataset>", "such as lake.raw")
    .argument("<keys>", "the partitions that have changed, KEY[..KEY][,…]")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL"]))
    .action(async (dataset: string, keys: string) => {
      await using open = await openFor(environmentOf(terminal), terminal);
      const { rebuildCommand } = await import("./backfill-command.ts");
      await rebuildCommand(open, { dataset, keys, actor: actor() }, terminal);
    });
  command
    .command("prune")
    .description("remove old runs and their logs, save what lineage needs, and programs that nothing needs")
    .requiredOption("--older-than <days>", "such as 90d, counted from when they ended", valueGiven)
    .option("--dry-run", "only say how many there are")
    .addHelpText("after", variablesHelp(["ORCA_DATABASE_URL", "ORCA_LOGS", "ORCA_LOG_STAGE", "ORCA_PROGRAMS"]))
    .action(async ({ olderThan, dryRun }: { olderThan: string; dryRun?: true }) => {
      const environment = environmentOf(terminal);
      await using open = await openFor(environment, terminal);
      const { pruneCommand } = await import("./prune-command.ts");
      await pruneCommand(open, { age: olderThan, isDry: dryRun === true }, environment, terminal);
    });
  command
    .command("tick")
    .description("do what is due once: queue fires, start runs, and end those whose process is gone")
    .option("--wait", "go on until nothing is due, queued or going on")
    .addHelpText("after", variablesHelp(SCHEDULER_VARIABLES))
    .action(async ({ wait }: { wait?: true }) => {
      const environment = environmentOf(terminal);
      await using open = await openFor(environment, terminal);
      if (wait === true) {
        const { tickUntilIdle } = await import("../scheduler/until-idle.ts");
        return await tickUntilIdle(await schedulingOf(open, environment, terminal), open.url);
      }
      const { tick } = await import("../scheduler/tick.ts");
      const { askPrograms } = await import("../scheduler/ask-programs.ts");
      const scheduling = await schedulingOf(open, environment, terminal);
      const { tellAll } = await import("../scheduler/tell.ts");
      const { ask } = await tick(scheduling);
      if (ask) {
        await askPrograms(scheduling);
        await tick(scheduling);
      }
      await tellAll(scheduling);
      await scheduling.tidy?.();
    });
  command
    .command("scheduler")
    .description("do what is due, all the time, until it is stopped; runs go on without it")
    .addHelpText("after", variablesHelp(SCHEDULER_VARIABLES))
    .action(async () => {
      const environment = environmentOf(terminal);
      await using open = await openFor(environment, terminal);
      const { schedule } = await import("../scheduler/schedule-loop.ts");
      const stop = new AbortController();
      using _ = onSignals(() => stop.abort());
      terminal.stdout.write("scheduling\n");
      const scheduling = await schedulingOf(open, environment, terminal);
      await schedule({ ...scheduling, signal: stop.signal }, open.url);
    });
}

const SCHEDULER_VARIABLES = [
  "ORCA_DATABASE_URL",
  "ORCA_PROGRAMS",
  "ORCA_STALE_SECONDS",
  "ORCA_RETRY_SECONDS",
  "ORCA_SENSE_SECONDS",
  "ORCA_LOGS",
  "ORCA_UI_URL",
  "ORCA_NOW",
] as const;

/** The database, made if it is an embedded one that isn't there. */
async function openFor(environment: Environment, terminal: Terminal): Promise<OpenDatabase> {
  const { openDatabase } = await import("./database.ts");
  return await openDatabase(needsDatabase(environment), environment, warningsOf(terminal), {
    make: true,
    byIndex: true,
  });
}

async function register(
  file: string,
  notifyUrl: string | false | undefined,
  environment: Environment,
  terminal: Terminal,
): Promise<void> {
  checkNotifyUrl(notifyUrl);
  await using open = await openFor(environment, terminal);
  const { checkKept, keepProgram } = await import("../scheduler/kept-programs.ts");
  const { describeProgram, senseProgram } = await import("../scheduler/programs.ts");
  const { registerPipeline } = await import("../state/registration.ts");
  const { programsOf, removePrograms } = await import("./programs-of.ts");
  const folder = await programsOf(open.database, environment);
  const program = await built(file, environment, (out) => keepProgram(out, folder));
  const description = await describeProgram(program, { env: terminal.env });
  const seen = description.sensor ? await senseProgram(program, { env: terminal.env }) : [];
  const now = environment.ORCA_NOW ?? terminal.now;
  const registration = { description, program, check: checkKept, seen, notifyUrl, now, actor: actor() };
  const { isNew, movedRuns } = await registerPipeline(open.database, registration);
  const moved = movedRuns === 0 ? "" : `, ${counted(movedRuns, "queued run")} moved to it`;
  terminal.stdout.write(
    `${description.pipeline}: registered ${isNew ? "" : "anew "}with code ${description.hash}${moved}\n`,
  );
  await removePrograms(open.database, folder);
}

function checkNotifyUrl(text: string | false | undefined): void {
  if (text === undefined || text === false || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return;
  throw new OrcaError("usage", `--notify is '${text}': it takes a URL, such as https://example.com/runs`);
}

/** Builds a pipeline's file first, if it isn't a program. */
async function built<T>(file: string, environment: Environment, keep: (program: string) => Promise<T>): Promise<T> {
  if (!/\.[mc]?ts$/.test(file)) return await keep(file);
  const { buildPipeline } = await import("../registry/build.ts");
  const temporary = join(tmpdir(), `orca-register-${randomUUID()}`);
  mkdirSync(temporary, { mode: 0o700 });
  try {
    const { ORCA_SOURCE, ORCA_COMMIT, ORCA_DIRTY } = environment;
    const source = { repository: ORCA_SOURCE, commit: ORCA_COMMIT, dirty: ORCA_DIRTY };
    const out = join(temporary, basename(file, extname(file)));
    await buildPipeline({
      file: relative(process.cwd(), file),
      out,
      folder: process.cwd(),
      native: true,
      check: true,
      source,
    });
    return await keep(out);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function schedulingOf(open: OpenDatabase, environment: Environment, terminal: Terminal): Promise<Scheduling> {
  const { LocalRunner } = await import("../runners/local-runner.ts");
  const { DriverLogs } = await import("./driver-logs.ts");
  const { processesOf } = await import("../state/start-runs.ts");
  const {
    ORCA_NOW,
    ORCA_STALE_SECONDS,
    ORCA_RETRY_SECONDS,
    ORCA_SENSE_SECONDS,
    ORCA_LOGS,
    ORCA_LOG_STAGE,
    ORCA_UI_URL,
  } = environment;
  // with the database as it was given: a run holds an embedded one too, which ends with the last that does; what Node has compiled of a
  // program is kept with it, which brings a run's first attempt forward by a fifth
  const env = { NODE_COMPILE_CACHE: compiledIn(programsIn(environment)), ...terminal.env };
  const logs = new DriverLogs(
    logPlace(ORCA_LOGS ?? join(tmpdir(), `orca-${process.getuid?.() ?? ""}`, "runs"), ORCA_LOG_STAGE),
  );
  return {
    database: open.database,
    runner: new LocalRunner({
      fileOf: (run) => logs.fileOf(run),
      locationOf: (run) => logs.locationOf(run),
      written: (file) => logs.written(file),
      env,
    }),
    now: () => ORCA_NOW ?? new Date(),
    staleMs: ORCA_STALE_SECONDS * 1000,
    retryMs: ORCA_RETRY_SECONDS * 1000,
    senseMs: ORCA_SENSE_SECONDS * 1000,
    uiUrl: ORCA_UI_URL,
    env,
    chance: Math.random,
    tidy: () => logs.uploadLeft((runs) => processesOf(open.database, runs)),
    tell: (sentence) => void terminal.stdout.write(`${sentence}\n`),
  };
}
