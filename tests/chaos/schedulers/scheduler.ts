/** A scheduler's process, whose clock is in a file. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { LocalRunner } from "../../../packages/orca/dist/runners/local-runner.js";
import { schedule } from "../../../packages/orca/dist/scheduler/schedule-loop.js";
import { Database } from "../../../packages/orca/dist/state/database.js";

const {
  ORCA_DATABASE_URL: url,
  CHAOS_STALE_MS,
  CHAOS_SENSE_MS,
  CHAOS_CLOCK,
  CHAOS_FOLDER,
} = process.env as Record<string, string>;
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
await using database = new Database(url!, { patienceMs: 20_000, warn: () => {} });
const fileOf = ({ run }: { readonly run: number }) => path.join(CHAOS_FOLDER!, String(run), "driver.log");
const runner = new LocalRunner({ fileOf, locationOf: fileOf, written: async () => {}, env: process.env });
const scheduling = {
  database,
  runner,
  now: () => new Date(Number(readFileSync(CHAOS_CLOCK!, "utf8"))),
  staleMs: Number(CHAOS_STALE_MS),
  retryMs: 60_000,
  senseMs: Number(CHAOS_SENSE_MS),
  uiUrl: undefined,
  env: process.env,
  chance: Math.random,
  tell: (sentence: string) => void process.stdout.write(`${sentence}\n`),
};
await schedule({ ...scheduling, signal: stop.signal }, url!);
