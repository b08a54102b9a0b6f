/** What is near a snapshot: the attempts that made it and that read it, and what these read and made. */
import type { Database } from "../database.ts";

/** An attempt of a step with a snapshot that it made or read. */
export interface LinkedAttempt {
  readonly dataset: string;
  readonly snapshot: string;
  readonly pipeline: string;
  readonly run: number;
  readonly runStatus: string;
  readonly step: string;
  readonly partition: string;
  readonly attempt: number;
}

/** A snapshot of a dataset, by its number. */
export interface SnapshotId {
  readonly dataset: string;
  readonly snapshot: string;
}

/** Of each snapshot the attempt that made it: the one that succeeded, or else the first. */
export async function makersOf(
  database: Database,
  snapshots: readonly SnapshotId[],
): Promise<readonly LinkedAttempt[]> {
  return await database.query<LinkedAttempt>(MAKERS, columnsOf(snapshots));
}

/** Of each snapshot the newest attempts that read it. @param limit of each. */
export async function readersOf(
  database: Database,
  snapshots: readonly SnapshotId[],
  limit: number,
): Promise<readonly LinkedAttempt[]> {
  return await database.query<LinkedAttempt>(READERS, [...columnsOf(snapshots), limit]);
}

/** What attempts read, or made: a few of each. */
export async function snapshotsOfAttempts(
  database: Database,
  attempts: readonly Pick<LinkedAttempt, "run" | "step" | "partition" | "attempt">[],
  role: "read" | "made",
): Promise<readonly (SnapshotId & Pick<LinkedAttempt, "run" | "step" | "partition">)[]> {
  return await database.query(role === "read" ? READ_BY : MADE_BY, [
    attempts.map(({ run }) => run),
    attempts.map(({ step }) => step),
    attempts.map(({ partition }) => partition),
    attempts.map(({ attempt }) => attempt),
  ]);
}

function columnsOf(snapshots: readonly SnapshotId[]): [string[], string[]] {
  return [snapshots.map(({ dataset }) => dataset), snapshots.map(({ snapshot }) => snapshot)];
}

const MAKERS = {
  name: "page-makers",
  text: `
    select g.dataset, g.snapshot::text, r.pipeline, m.run::float8 as run, r.status as "runStatus", m.step, m.partition, m.attempt
    from unnest($1::text[], $2::bigint[]) as g (dataset, snapshot)
      cross join lateral (
        select c.run, c.step, c.partition, c.attempt
        from orca.commits c join orca.attempts a using (run, step, partition, attempt)
        where c.dataset = g.dataset collate "C" and c.snapshot = g.snapshot
        order by a.status = 'succeeded' desc, c.attempt limit 1) m
      join orca.runs r on r.id = m.run
    order by g.dataset, g.snapshot`,
};

const READERS = {
  name: "page-readers",
  text: `
    select g.dataset, g.snapshot::text, r.pipeline, m.run::float8 as run, r.status as "runStatus", m.step, m.partition, m.attempt
    from unnest($1::text[], $2::bigint[]) as g (dataset, snapshot)
      cross join lateral (
        select d.run, d.step, d.partition, d.attempt from orca.reads d
        where d.dataset = g.dataset collate "C" and d.snapshot = g.snapshot limit $3) m
      join orca.runs r on r.id = m.run
    order by g.dataset, g.snapshot, m.run desc, m.step, m.partition, m.attempt`,
};

const GIVEN = `unnest($1::bigint[], $2::text[], $3::text[], $4::int[]) as g (run, step, partition, attempt)`;
const READ_BY = {
  name: "page-read-by",
  text: `
    select distinct d.dataset, d.snapshot::text, g.run::float8 as run, g.step, g.partition
    from ${GIVEN} cross join lateral (
      select dataset, snapshot from orca.reads
      where run = g.run and step = g.step collate "C" and partition = g.partition collate "C" and attempt = g.attempt
        and snapshot is not null limit 20) d
    order by 1, 2, 3, 4, 5`,
};
const MADE_BY = {
  name: "page-made-by",
  text: `
    select distinct d.dataset, d.snapshot::text, g.run::float8 as run, g.step, g.partition
    from ${GIVEN} cross join lateral (
      select dataset, snapshot from orca.commits
      where run = g.run and step = g.step collate "C" and partition = g.partition collate "C" and attempt = g.attempt limit 20) d
    order by 1, 2, 3, 4, 5`,
};
