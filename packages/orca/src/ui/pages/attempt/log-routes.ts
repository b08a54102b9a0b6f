/** Logs as text: the whole of an attempt's, streamed, or its lines from a place on as JSON. */
import type { Context, Hono } from "hono";
import { stream } from "hono/streaming";
import { OrcaError } from "../../../core/errors.ts";
import { readLogLines } from "../../../logs/log-lines.ts";
import { readLog } from "../../../logs/read-log.ts";
import { readAttempt } from "../../../state/pages/attempt.ts";
import { idFrom, Query } from "../../query.ts";
import type { Source } from "../../view.ts";

/** Serves them at `/runs/<run>/logs/<step>/<partition>?attempt=<n>`, a gather step's without a partition. */
export function serveLogs(app: Hono, source: Source): void {
  app.get("/runs/:run/logs/:step", (context) => logAnswer(context, source, context.req.param("step"), ""));
  app.get("/runs/:run/logs/:step/:partition", (context) =>
    logAnswer(context, source, context.req.param("step"), context.req.param("partition")),
  );
}

async function logAnswer(context: Context, source: Source, step: string, partition: string): Promise<Response> {
  const { database, logs } = source;
  const query = new Query(new URL(context.req.url).searchParams);
  const run = idFrom(context.req.param("run") ?? "", "run");
  const number = query.id("attempt") ?? 1;
  const attempt = await readAttempt(database, run, step, partition, number);
  const from = query.place("from");
  if (from !== undefined) {
    const lines = attempt.log === null ? undefined : await readLogLines(attempt.log, { from }, logs);
    return context.json({ lines: [], next: from, size: 0, ...lines, hasEnded: attempt.endedAt !== null });
  }
  if (attempt.log === null) throw new OrcaError("unknown-step", `attempt ${number} has no log on record`);
  const name = [run, step, ...(partition === "" ? [] : [partition]), number].join("-");
  return await textAnswer(context, attempt.log, logs, name);
}

/** Streams a log as it is now, part by part. @throws OrcaError `unknown-step` if it isn't there. */
export async function textAnswer(
  context: Context,
  location: string,
  logs: string | undefined,
  name: string,
): Promise<Response> {
  const first = await readLog(location, { start: 0 }, logs);
  if (first === undefined) throw new OrcaError("unknown-step", `the log ${location} isn't there any more`);
  context.header("Content-Type", "text/plain; charset=utf-8");
  context.header("Content-Disposition", `inline; filename="${name.replaceAll(/[^\w.-]/g, "_")}.log"`);
  return stream(context, async (out) => {
    for (let part = first; part.bytes.length > 0;) {
      await out.write(part.bytes);
      const start = part.start + part.bytes.length;
      if (start >= first.size || out.aborted) break;
      part = (await readLog(location, { start, end: first.size }, logs)) ?? first;
      if (part === first) break;
    }
  });
}
