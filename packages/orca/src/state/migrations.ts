/** Made from migrations/*.sql by `npm run migrations`: a built pipeline has no files beside it. */

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

// prettier-ignore
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "runs", sql: `-- Runs, the steps of their partitions, and every attempt of these.
--
-- Outputs and inputs are texts in the codec's form, not jsonb: jsonb has no NUL, no unpaired surrogate and no -0, which outputs may have.

create table orca.pipelines (
  name text collate "C" primary key check (octet_length(name) between 1 and 128),
  created_at timestamptz not null default clock_timestamp()
);

-- What code a run is of. One row for each that was ever run.
create table orca.versions (
  id bigint generated always as identity primary key,
  pipeline text collate "C" not null references orca.pipelines,
  -- sha-256 of all below, which makes it unique also where there is no source
  digest text not null unique,
  registry_hash text not null,
  step_hashes jsonb not null,
  -- where it is: a repository's address, the commit, and whether the files differed from it
  repository text,
  commit text,
  dirty boolean,
  first_seen_at timestamptz not null default clock_timestamp()
);
create index versions_of_pipeline on orca.versions (pipeline, id);

create table orca.runs (
  id bigint generated always as identity primary key,
  -- made by whoever asks for the run, so that it is found again when the reply was lost
  token uuid not null unique,
  pipeline text collate "C" not null references orca.pipelines,
  version bigint not null references orca.versions,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  trigger text not null check (trigger in ('manual')),
  keys text[] collate "C" not null check (cardinality(keys) > 0),
  -- the process that has it; none while it waits, has ended, or was left by a process that stopped in order
  owner uuid,
  starts integer not null default 0 check (starts >= 0),
  cancel_asked_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  error text check (octet_length(error) <= 65536),
  constraint owned_while_running check (owner is null or status = 'running'),
  constraint started_once_run check (status in ('queued', 'cancelled') or started_at is not null),
  constraint ended_at_its_end check ((status in ('succeeded', 'failed', 'cancelled')) = (ended_at is not null))
) with (fillfactor = 80);
create index runs_of_pipeline on orca.runs (pipeline, id);

-- When a run's owner was last alive. A table of its own, so that what is written every few seconds is small.
create table orca.heartbeats (
  run bigint primary key references orca.runs on delete cascade,
  at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- A step of a partition; of a gather step the partition is ''. There is none until the step is reached.
create table orca.steps (
  run bigint not null references orca.runs on delete cascade,
  step text collate "C" not null check (octet_length(step) between 1 and 128),
  partition text collate "C" not null check (octet_length(partition) <= 128),
  -- waiting: reached before, and to be run again
  status text not null check (status in ('waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled')),
  hash text not null,
  -- none where it is the outputs of the steps that it follows, of many partitions
  input text check (octet_length(input) <= 4194304),
  output text check (octet_length(output) <= 1048576),
  -- attempts ever, and those that failed since the run was last begun or resumed
  attempts integer not null default 0 check (attempts >= 0),
  failures integer not null default 0 check (failures >= 0),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (run, step, partition),
  constraint output_of_success check ((status = 'succeeded') = (output is not null)),
  constraint ended_at_its_end check ((status in ('succeeded', 'failed', 'skipped', 'cancelled')) = (ended_at is not null)),
  constraint started_when_tried check ((attempts > 0) = (started_at is not null)),
  constraint tried_to_run check (status not in ('running', 'succeeded', 'failed') or attempts > 0)
) with (fillfactor = 70);

create table orca.attempts (
  run bigint not null,
  step text collate "C" not null,
  partition text collate "C" not null,
  attempt integer not null check (attempt > 0),
  -- lost: the run was lost to another process while it went on
  status text not null
    check (status in ('running', 'succeeded', 'failed', 'crashed', 'timed-out', 'cancelled', 'lost')),
  owner uuid not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  error text check (octet_length(error) <= 65536),
  -- where its log is
  log text check (octet_length(log) <= 4096),
  primary key (run, step, partition, attempt),
  foreign key (run, step, partition) references orca.steps on delete cascade,
  constraint ended_at_its_end check ((status = 'running') = (ended_at is null)),
  constraint ends_after_its_start check (ended_at >= started_at),
  constraint error_unless_success check ((status in ('running', 'succeeded')) = (error is null))
) with (fillfactor = 70);
create unique index one_running_attempt on orca.attempts (run, step, partition) where status = 'running';
create unique index one_successful_attempt on orca.attempts (run, step, partition) where status = 'succeeded';
` },
  { version: 2, name: "tables", sql: `-- The snapshots of tables that attempts read and made. They outlive their runs, as lineage needs them, so that nothing refers to those.

create table orca.reads (
  run bigint not null,
  step text collate "C" not null,
  partition text collate "C" not null,
  attempt integer not null,
  dataset text collate "C" not null check (octet_length(dataset) between 1 and 1024),
  location text not null check (octet_length(location) <= 4096),
  -- none if the table had none: then the step reads it as empty
  snapshot bigint,
  at timestamptz not null default clock_timestamp(),
  primary key (run, step, partition, dataset, attempt)
);
create index reads_of_snapshot on orca.reads (dataset, snapshot);
create index reads_by_time on orca.reads (dataset, at);

create table orca.commits (
  run bigint not null,
  step text collate "C" not null,
  partition text collate "C" not null,
  attempt integer not null,
  -- its place among the attempt's commits; a later attempt that finds it has it in the same place
  number integer not null check (number > 0),
  dataset text collate "C" not null check (octet_length(dataset) between 1 and 1024),
  location text not null check (octet_length(location) <= 4096),
  snapshot bigint not null,
  operation text not null check (operation in ('append', 'overwrite', 'delete', 'replace')),
  at timestamptz not null default clock_timestamp(),
  primary key (run, step, partition, attempt, number)
);
create index commits_of_snapshot on orca.commits (dataset, snapshot);
create index commits_by_time on orca.commits (dataset, at);
` },
  { version: 3, name: "commit-code", sql: `-- The hash of the code that made a commit, if the snapshot says it: a run that goes on with new code finds commits that its old code has made.

alter table orca.commits add column code text collate "C";
` },
];
