/** What the playground is, from its start to its end: that of its standard input, or a signal. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fillInbox } from "./inbox.ts";
import { Orca } from "./orca.ts";
import { BACKFILLS, PIPELINES } from "./pipelines.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "orca-playground-"));
/** Programs find their packages from where they are. */
const programs = path.join(root, "build", path.basename(folder));
const postgres = path.join(folder, "postgres");
const inbox = path.join(folder, "inbox");

const orca = new Orca(path.join(root, "packages/orca/bin/orca.js"), {
  ...process.env,
  ORCA_DATABASE_URL: `embedded:${postgres}`,
  ORCA_DATABASE_PATIENCE_SECONDS: "3",
  ORCA_GRACE_SECONDS: "2",
  ORCA_WAREHOUSE: path.join(folder, "lake"),
  ORCA_LOGS: path.join(folder, "logs"),
  ORCA_PROGRAMS: path.join(programs, "kept"),
  ORCA_RETRY_SECONDS: "20",
  ORCA_SENSE_SECONDS: "5",
  ORCA_SAMPLE_SECONDS: "2",
  PLAYGROUND_INBOX: inbox,
});

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
process.stdin.on("end", () => stop.abort()).resume();
process.stdout.on("error", () => stop.abort()); // nobody reads it any more

try {
  mkdirSync(programs, { recursive: true });
  fillInbox(inbox);
  await play();
} catch (error) {
  if (!stop.signal.aborted) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
} finally {
  await end();
  process.stdin.destroy();
}

async function play(): Promise<void> {
  console.log("starting: some seconds");
  const { signal } = stop;
  await Promise.all([orca.run(["postgres", "start", postgres], signal), buildAll(signal)]);
  const ui = serveUi(signal);
  ui.catch(() => {}); // it is awaited when all is there to be shown
  await orca.run(["user", "add", "demo"], signal, "demo-password\n");
  for (const { name } of PIPELINES) await orca.run(["register", path.join(programs, name)], signal);
  await orca.keep(["scheduler"], signal);
  const [address] = /http:\S+[^;\s]/.exec(await ui) ?? [];
  console.log(`Orca is at ${address}`);
  console.log("log in as demo with the password demo-password, to act; Ctrl-C ends it, and leaves nothing behind");
  console.log(`payments fails until somebody corrects a file in ${inbox}: its error says which`);
  for (const [pipeline, keys] of BACKFILLS) await orca.run(["backfill", pipeline, keys], signal);
  if (!signal.aborted) await once(signal, "abort");
  console.log("ending: a moment");
}

/** The scheduler first, so that it starts nothing; then what runs, and the database last. */
async function end(): Promise<void> {
  await orca.endKept();
  await orca.endRuns().catch(() => {}); // of a database that wasn't started
  await orca.run(["postgres", "stop", postgres]).catch(() => {});
  for (const made of [folder, programs]) rmSync(made, { recursive: true, force: true, maxRetries: 10 });
}

/** At its usual address, or at one that is free. */
async function serveUi(signal: AbortSignal): Promise<string> {
  try {
    return await orca.keep(["ui"], signal);
  } catch (error) {
    if (!(error as Error).message.includes("something else does already")) throw error;
    return await orca.keep(["ui"], signal, { ORCA_UI_ADDR: "127.0.0.1:0" });
  }
}

/** Two at a time: each keeps a processor busy. */
async function buildAll(signal: AbortSignal): Promise<void> {
  const queue = [...PIPELINES];
  const lane = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const out = path.join(programs, one.name);
      await orca.run(["build", path.join(root, one.file), "-o", out, "--no-native", "--no-check"], signal);
    }
  };
  await Promise.all([lane(), lane()]);
}
