#!/usr/bin/env node
/** A run's process as a scheduler starts it: claims the run, commits for each of its keys, and ends as its number says: well, by a failure, a crash or a stall. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { DescribedPipeline } from "../../../packages/orca/dist/core/described.js";
import { claimRun } from "../../../packages/orca/dist/state/claim.js";
import { Database } from "../../../packages/orca/dist/state/database.js";
import { Heartbeat } from "../../../packages/orca/dist/state/heartbeat.js";
import { PostgresJournal } from "../../../packages/orca/dist/state/journal.js";
import { readRunBefore } from "../../../packages/orca/dist/state/run-before.js";
import { endRun } from "../../../packages/orca/dist/state/runs.js";
import { PostgresTableRecords } from "../../../packages/orca/dist/state/table-records.js";

const [, id, , launch] = process.argv.slice(2);
const { ORCA_DATABASE_URL: url, CHAOS_STALE_MS } = process.env as Record<string, string>;

const staleMs = Number(CHAOS_STALE_MS);
await using database = new Database(url!, { patienceMs: 5_000, warn: () => {} });
const [{ description, starts }] = (await database.query<{ description: DescribedPipeline; starts: number }>(
  {
    name: "description",
    text: "select p.description, r.starts from orca.runs r join orca.pipelines p on p.name = r.pipeline where r.id = $1",
  },
  [id],
)) as [{ description: DescribedPipeline; starts: number }];
const { pipeline, hash, steps } = description;
const [step] = steps as [DescribedPipeline["steps"][number]];
const fate = createHash("sha256").update(`${id} ${starts}`).digest()[0]!;

const run = await claimRun(database, Number(id), {
  pipeline,
  version: { registryHash: hash, stepHashes: { load: step.hash }, repository: null, commit: null, dirty: null },
  owner: randomUUID(),
  staleMs,
  allowsNewCode: false,
  launch,
  check: () => {},
});
await using _ = new Heartbeat(url!, run, staleMs, { cancelAsked: stop, lost: stop });
const of = {
  run: run.id,
  owner: run.owner,
  keys: run.keys,
  hashOf: () => step.hash,
  sentenceOf,
  logOf: () => undefined,
};
const journal = new PostgresJournal(database, of, await readRunBefore(database, run.id));
const records = new PostgresTableRecords(database, run);

for (const [i, partition] of run.keys.entries()) {
  const before = journal.before("load", partition);
  if (before?.end === "succeeded") continue;
  const attempt = { step: "load", partition, attempt: (before?.attempts ?? 0) + 1 };
  await journal.attemptStarts(attempt, "null");
  for (const [n, dataset] of step.writes.entries())
    await records.committed(attempt, {
      number: n + 1,
      dataset,
      location: `/${dataset}`,
      snapshot: randomBytes(8).readBigUInt64BE() >> 2n,
      operation: "append",
    });
  if (i === run.keys.length - 1) await meetFate();
  await journal.attemptEnded(attempt, { status: "succeeded", output: "null" }, "succeeded");
}
await endRun(database, run, "succeeded", null);

async function meetFate(): Promise<void> {
  if (fate < 20) process.exit(1);
  if (fate < 35) process.kill(process.pid, "SIGKILL");
  if (fate < 50) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, staleMs * 1.2); // it beats no more meanwhile
  if (fate >= 50 && fate < 85) {
    await endRun(database, run, "failed", "as it is meant to");
    process.exit(1);
  }
}

function stop(): void {
  process.exit(3);
}

function sentenceOf(error: Error): string {
  return error.message;
}
