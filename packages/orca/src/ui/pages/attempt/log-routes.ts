/** Logs as text: the whole of an attempt's, streamed, or its lines from a place on as JSON. */
import type { Context, Hono } from "hono";
import { stream } from "hono/streaming";
import type { StreamingApi } from "hono/utils/stream";
import { OrcaError } from "../../../core/errors.ts";
import { readLogLines } from "../../../logs/log-lines.ts";
import { readLog } from "../../../logs/read-log.ts";
import { filesIn, placeOfRun } from "../../../logs/run-files.ts";
import { readAttempt } from "../../../state/pages/attempt.ts";
import { readRunHead } from "../../../state/pages/run-head.ts";
import { idFrom } from "../../query.ts";
import { partOf, queryOf, type Source } from "../../view.ts";

/**
 * Serves them at `/runs/<run>/logs/<step>/<partition>?attempt=<n>`, a gather step's without a partition; and what a run's processes printed at
 * `/runs/<run>/driver-log`.
 */
export function serveLogs(app: Hono, source: Source): void {
  app.get("/runs/:run/driver-log", (context) => driverLogAnswer(context, source));
  app.get("/runs/:run/logs/:step", (context) => logAnswer(context, source, ""));
  app.get("/runs/:run/logs/:step/:partition", (context) => logAnswer(context, source, partOf(context, "partition")));
}

async function logAnswer(context: Context, source: Source, partition: string): Promise<Response> {
  const { database, logs } = source;
  const query = queryOf(context);
  const [run, step] = [idFrom(partOf(context, "run"), "run"), partOf(context, "step")];
  const number = query.count("attempt") ?? 1;
  const attempt = await readAttempt(database, run, step, partition, number);
  const from = query.place("from");
  if (from !== undefined) {
    const lines = attempt.log === null ? undefined : await readLogLines(attempt.log, { from }, logs);
    return context.json({ lines: [], next: from, size: 0, ...lines, hasEnded: attempt.endedAt !== null });
  }
  if (attempt.log === null) throw new OrcaError("unknown-step", `attempt ${number} has no log on record`);
  const name = [run, step, ...(partition === "" ? [] : [partition]), number].join("-");
  return await textAnswer(context, [attempt.log], logs, name);
}

/** What the processes of a run printed besides what its steps did, one after the other. */
async function driverLogAnswer(context: Context, { database, logs, now, staleMs }: Source): Promise<Response> {
  const run = await readRunHead(database, idFrom(partOf(context, "run"), "run"), { now: now(), staleMs });
  const place = placeOfRun({ pipeline: run.pipeline, run: run.id, log: run.log }, logs);
  const files = place === undefined ? [] : await filesIn(place, logs);
  const printed = files.filter((file) => /[/\\]driver[^/\\]*\.log$/.test(file));
  if (printed.length === 0)
    throw new OrcaError(
      "unknown-step",
      `run ${run.id} has no log of its processes: it was started by hand, or that is gone`,
    );
  return await textAnswer(context, printed, logs, `${run.id}-driver`);
}

/** Streams logs as they are now, part by part. @throws OrcaError `unknown-step` if the first isn't there. */
async function textAnswer(
  context: Context,
  locations: readonly string[],
  logs: string | undefined,
  name: string,
): Promise<Response> {
  const first = await readLog(locations[0]!, { start: 0 }, logs);
  if (first === undefined) throw new OrcaError("unknown-step", `the log ${locations[0]} isn't there any more`);
  context.header("Content-Type", "text/plain; charset=utf-8");
  context.header("Content-Disposition", `inline; filename="${name.replaceAll(/[^\w.-]/g, "_")}.log"`);
  return stream(context, async (out) => {
    for (const location of locations) await writeLog(out, location, logs);
  });
}

async function writeLog(out: StreamingApi, location: string, logs: string | undefined): Promise<void> {
  let start = 0;
  let size = Infinity;
  while (start < size && !out.aborted) {
    const part = await readLog(location, { start }, logs);
    if (part === undefined || part.bytes.length === 0) return;
    size = Math.min(size, part.size); // what is written meanwhile isn't waited for
    await out.write(part.bytes);
    start += part.bytes.length;
  }
}
