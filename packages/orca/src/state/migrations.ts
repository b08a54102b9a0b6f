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
  { version: 4, name: "scheduler", sql: `-- What the scheduler knows and decides: registered pipelines, the queue, fires, sensors, backfills and rebuilds.
--
-- Times that schedules and retries are counted in are on the scheduler's clock, which ORCA_NOW may fix; all others are the database's own.

-- A pipeline that was registered has a program; one that was only run has none.
alter table orca.pipelines
  add column program text check (octet_length(program) <= 4096),
  -- what the program said of itself
  add column description jsonb,
  add column version bigint references orca.versions,
  add column registered_at timestamptz,
  add column paused_at timestamptz,
  -- how many of its runs may be live
  add column max_runs integer not null default 1 check (max_runs > 0),
  -- how often a failed run is started again
  add column run_retries integer not null default 0 check (run_retries >= 0),
  add column keys_per_run integer not null default 1 check (keys_per_run > 0),
  -- the mapped steps, by which a key is done; of none the run's success is it
  add column mapped_steps text[] collate "C" not null default '{}',
  add column is_sensor boolean not null default false,
  add column sensing_since timestamptz,
  -- when its datasets were last looked at for what others than Orca have committed
  add column sensed_at timestamptz,
  -- when a keyed sensor's keys were last told to be others; null when what isn't done of them is queued
  add column keys_changed_at timestamptz,
  -- scheduler's clock: the fires up to here are made
  add column fired_until timestamptz,
  add column next_fire_at timestamptz,
  -- what is told of its failures
  add column notify_url text check (octet_length(notify_url) <= 4096),
  add constraint registered_whole check (
    (program is null) = (registered_at is null) and (program is null) = (description is null)
    and (program is null) = (version is null)),
  add constraint due_while_registered check (next_fire_at is null or program is not null);
create index pipelines_sensing on orca.pipelines (sensed_at) where is_sensor;
create index pipelines_with_new_keys on orca.pipelines (name) where keys_changed_at is not null;
create index pipelines_due on orca.pipelines (next_fire_at) where next_fire_at is not null;

-- Which datasets a registered pipeline's steps read and write, and where its keys come from.
create table orca.pipeline_datasets (
  pipeline text collate "C" not null references orca.pipelines,
  role text not null check (role in ('reads', 'writes', 'keys')),
  dataset text collate "C" not null check (octet_length(dataset) between 1 and 1024),
  primary key (pipeline, role, dataset)
);
create index pipelines_of_dataset on orca.pipeline_datasets (dataset, role, pipeline);

create table orca.backfills (
  id bigint generated always as identity primary key,
  pipeline text collate "C" not null references orca.pipelines,
  -- as it was asked for
  asked text not null check (octet_length(asked) <= 65536),
  is_rerun boolean not null,
  is_reversed boolean not null,
  -- how many of its runs may be live, if that is fewer than of the pipeline
  max_runs integer check (max_runs > 0),
  keys_asked integer not null check (keys_asked >= 0),
  keys_queued integer not null check (keys_queued >= 0),
  asked_by text not null check (octet_length(asked_by) <= 256),
  created_at timestamptz not null default clock_timestamp()
);
create index backfills_of_pipeline on orca.backfills (pipeline, id);

create table orca.rebuilds (
  id bigint generated always as identity primary key,
  dataset text collate "C" not null check (octet_length(dataset) between 1 and 1024),
  keys text[] collate "C" not null check (cardinality(keys) > 0),
  status text not null check (status in ('running', 'stopped', 'succeeded', 'cancelled')),
  asked_by text not null check (octet_length(asked_by) <= 256),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint ended_at_its_end check ((status in ('succeeded', 'cancelled')) = (ended_at is not null))
);
create index rebuilds_going_on on orca.rebuilds (id) where status in ('running', 'stopped');

-- The pipelines that are run, each after all those of the levels before.
create table orca.rebuild_levels (
  rebuild bigint not null references orca.rebuilds on delete cascade,
  level integer not null check (level >= 0),
  pipeline text collate "C" not null references orca.pipelines,
  keys text[] collate "C" not null check (cardinality(keys) > 0),
  queued_at timestamptz,
  primary key (rebuild, level, pipeline)
);

alter table orca.runs
  drop constraint runs_trigger_check,
  add constraint runs_trigger_check check (trigger in ('manual', 'schedule', 'backfill', 'sensor', 'rebuild')),
  add column backfill bigint references orca.backfills,
  add column rebuild bigint references orca.rebuilds,
  -- how often the scheduler has started it again after a failure
  add column retries integer not null default 0 check (retries >= 0),
  -- scheduler's clock: a queued run isn't started before
  add column not_before timestamptz,
  -- whether a resume may be by other code than it was begun by
  add column allows_new_code boolean not null default false,
  -- why it is queued although it might run: its program is missing, or couldn't start
  add column held_back text check (octet_length(held_back) <= 4096),
  -- by which the process that a scheduler started for it, and nobody else, claims it
  add column launch uuid,
  -- when the scheduler had seen how it ended, and done what follows from that
  add column settled_at timestamptz,
  -- when what it did was removed, save what lineage needs
  add column pruned_at timestamptz,
  add constraint backfill_has_its_trigger check ((trigger = 'backfill') = (backfill is not null)),
  add constraint rebuild_has_its_trigger check ((trigger = 'rebuild') = (rebuild is not null)),
  add constraint settled_at_its_end check (settled_at is null or ended_at is not null);
create index runs_queued on orca.runs (pipeline, id) where status = 'queued';
create index runs_launched on orca.runs (launch) where status = 'running' and launch is not null;
create index runs_running on orca.runs (pipeline, id) where status = 'running';
create index runs_unsettled on orca.runs (id) where ended_at is not null and settled_at is null;
create index runs_by_end on orca.runs (ended_at) where ended_at is not null and pruned_at is null;
create index runs_of_backfill on orca.runs (backfill, id) where backfill is not null;
create index runs_of_rebuild on orca.runs (rebuild, id) where rebuild is not null;
-- what was before there was a scheduler isn't its concern
update orca.runs set settled_at = clock_timestamp() where ended_at is not null;

-- Which keys a run covers, and whether it is queued or running: kept by the triggers below, whoever changes the run.
create table orca.run_keys (
  pipeline text collate "C" not null,
  key text collate "C" not null,
  run bigint not null references orca.runs on delete cascade,
  is_live boolean not null,
  primary key (pipeline, key, run)
) with (fillfactor = 80);
create index run_keys_of_run on orca.run_keys (run);
create index run_keys_live on orca.run_keys (pipeline, key) where is_live;

create function orca.is_live(status text) returns boolean language sql immutable
  return status in ('queued', 'running');
create function orca.add_run_keys() returns trigger language plpgsql as $$
begin
  insert into orca.run_keys (pipeline, key, run, is_live)
  select distinct r.pipeline, k, r.id, orca.is_live(r.status) from made r, unnest(r.keys) as k;
  return null;
end
$$;
create trigger add_run_keys after insert on orca.runs referencing new table as made
  for each statement execute function orca.add_run_keys();
create function orca.keep_run_keys() returns trigger language plpgsql as $$
begin
  update orca.run_keys set is_live = orca.is_live(new.status) where run = new.id;
  return null;
end
$$;
create trigger keep_run_keys after update of status on orca.runs for each row
  when (orca.is_live(old.status) <> orca.is_live(new.status)) execute function orca.keep_run_keys();
insert into orca.run_keys (pipeline, key, run, is_live)
select distinct r.pipeline, k, r.id, orca.is_live(r.status) from orca.runs r, unnest(r.keys) as k;

-- The latest success of each mapped step for each key: whether a key is done is asked here, however long the history is.
create table orca.partition_state (
  pipeline text collate "C" not null references orca.pipelines,
  step text collate "C" not null,
  key text collate "C" not null,
  hash text not null,
  run bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (pipeline, step, key)
) with (fillfactor = 70);
insert into orca.partition_state (pipeline, step, key, hash, run, at)
select distinct on (r.pipeline, s.step, s.partition) r.pipeline, s.step, s.partition, s.hash, r.id, s.ended_at
from orca.steps s join orca.runs r on r.id = s.run where s.status = 'succeeded' and s.partition <> ''
order by r.pipeline, s.step, s.partition, s.ended_at desc;

-- A time that a schedule was due at, made once: with its run, or with none for a partition before the pipeline's first.
create table orca.fires (
  pipeline text collate "C" not null references orca.pipelines,
  at timestamptz not null,
  partition text collate "C",
  run bigint references orca.runs on delete set null,
  primary key (pipeline, at)
);
create index fires_of_run on orca.fires (run) where run is not null;

-- The snapshots that a sensor has taken, and those that were there before it.
create table orca.seen_snapshots (
  pipeline text collate "C" not null references orca.pipelines,
  dataset text collate "C" not null,
  snapshot bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (pipeline, dataset, snapshot)
);

-- Which snapshots started a sensor's run.
create table orca.run_causes (
  run bigint not null references orca.runs on delete cascade,
  dataset text collate "C" not null,
  snapshot bigint not null,
  primary key (run, dataset, snapshot)
);

-- What people and schedulers did, and to what.
create table orca.actions (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null check (octet_length(actor) <= 256),
  action text not null check (octet_length(action) <= 64),
  pipeline text collate "C",
  run bigint,
  detail jsonb
);
create index actions_of_run on orca.actions (run, id) where run is not null;
create index actions_of_pipeline on orca.actions (pipeline, id) where pipeline is not null;

-- What is to be told to a URL, until it is.
create table orca.notifications (
  id bigint generated always as identity primary key,
  pipeline text collate "C" not null references orca.pipelines,
  run bigint not null,
  kind text not null check (kind in ('failed', 'recovered', 'late')),
  url text not null check (octet_length(url) <= 4096),
  created_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0 check (tries >= 0),
  next_try_at timestamptz default clock_timestamp(),
  told_at timestamptz,
  error text check (octet_length(error) <= 4096)
);
create unique index one_late_notification on orca.notifications (run) where kind = 'late';
create index notifications_of_run on orca.notifications (run, kind, id);
create index notifications_of_pipeline on orca.notifications (pipeline, kind, id);
create index notifications_to_tell on orca.notifications (next_try_at) where next_try_at is not null;
` },
  { version: 5, name: "scheduler-reads", sql: `-- What schedulers look up, found however long the history and the queue are.

-- A backfill may limit how many of its runs go on: then those of other backfills, and those of none, are found beyond it.
drop index orca.runs_queued;
create index runs_queued on orca.runs (pipeline, (coalesce(backfill, 0)), id) where status = 'queued';
create index runs_running_of_backfill on orca.runs (backfill) where status = 'running' and backfill is not null;
drop index orca.runs_of_rebuild;
create index runs_of_rebuild on orca.runs (rebuild, status, id) where rebuild is not null;
-- The last of a pipeline to succeed, whatever else is queued, or has failed since.
create index runs_succeeded on orca.runs (pipeline, ended_at) where status = 'succeeded';

-- A failure that was told, until it is made good: a run does so if it has this key, and all others.
alter table orca.notifications
  add column first_key text collate "C",
  add column recovered_at timestamptz;
update orca.notifications n set first_key = r.keys[1],
  recovered_at = (select min(created_at) from orca.notifications where run = n.run and kind = 'recovered' and id > n.id)
from orca.runs r where r.id = n.run and n.kind = 'failed';
create index notifications_unrecovered on orca.notifications (pipeline, first_key)
  where kind = 'failed' and recovered_at is null;
` },
  { version: 6, name: "keys-asked", sql: `-- When a keyed sensor's program was last asked for its keys: one that can't say them is asked again after a while, and holds up no others.

alter table orca.pipelines add column keys_asked_at timestamptz;
` },
  { version: 7, name: "pages", sql: `-- What the pages show that no pass and no run needs.

-- The schedulers that there are, and when each was last at work.
create table orca.schedulers (
  id uuid primary key,
  host text not null check (octet_length(host) <= 256),
  pid integer not null,
  seen_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- The keys that need someone: those that the last run that covered them ended without doing.
create table orca.key_failures (
  pipeline text collate "C" not null references orca.pipelines (name),
  key text collate "C" not null,
  run bigint not null references orca.runs (id) on delete cascade,
  status text not null check (status in ('failed', 'cancelled')),
  -- the step that wasn't done; none for a key that the run didn't reach
  step text collate "C",
  at timestamptz not null,
  primary key (pipeline, key)
);
create index key_failures_by_status on orca.key_failures (pipeline, status, key);
create index key_failures_newest on orca.key_failures (pipeline, status, at, key);
create index key_failures_of_run on orca.key_failures (run);

-- It is noted where runs end, however they do: by their own process, by a scheduler, or by being cancelled while they are queued.
create function orca.note_key_failures() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  delete from orca.key_failures where pipeline = new.pipeline and run <= new.id and key = any (new.keys);
  if new.status <> 'succeeded' then
    insert into orca.key_failures (pipeline, key, run, status, step, at)
    select new.pipeline, k.key, new.id, case when s.failed is null then new.status else 'failed' end,
      coalesce(s.failed, s.undone), new.ended_at
    from unnest(new.keys) as k (key)
    left join (
      select partition, count(*) as reached, min(step) filter (where status = 'failed') as failed,
        min(step) filter (where status <> 'succeeded') as undone
      from orca.steps where run = new.id and partition <> '' group by partition
    ) s on s.partition = k.key
    where s.partition is null or s.undone is not null
      or s.reached < (select count(distinct step) from orca.steps where run = new.id and partition <> '')
    on conflict (pipeline, key) do nothing;
  end if;
  return null;
end $$;
create trigger note_key_failures after update of status on orca.runs for each row
  when (new.ended_at is not null and old.status is distinct from new.status)
  execute function orca.note_key_failures();

-- How many rows a commit brought, and how many its table had then, as its snapshot's summary says.
alter table orca.commits add column rows_added bigint, add column rows_total bigint;

-- Lists of runs by their state, whichever pipeline's they are. By an expression, so that no pass, which looks for the few of a state by other
-- indexes, is planned by these, which hold the whole history's.
create index runs_open on orca.runs (id) where lower(status) in ('queued', 'running');
create index runs_failed on orca.runs (id) where lower(status) = 'failed';
create index runs_cancelled on orca.runs (id) where lower(status) = 'cancelled';
` },
  { version: 8, name: "users", sql: `-- Who may act in the UI: users, their sessions, and logins that failed.

-- Passwords are kept as bcrypt hashes that pgcrypto makes. It is made in orca, unless the database has it already, wherever that is; a code of our own
-- tells a database that can't have it from one in which something else isn't allowed.
do $$
declare
  place text;
begin
  begin
    create extension if not exists pgcrypto with schema orca;
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise exception using errcode = 'OR001', message = sqlerrm;
  end;
  select quote_ident(n.nspname) into strict place
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pgcrypto';
  execute format('create function orca.hash_of_password(password text) returns text language sql volatile strict
    return %1$s.crypt(password, %1$s.gen_salt(''bf'', 10))', place);
  execute format('create function orca.is_password(password text, hash text) returns boolean language sql immutable strict
    return %1$s.crypt(password, hash) = hash', place);
end
$$;

create table orca.users (
  name text collate "C" primary key check (name ~ '^[a-z0-9][a-z0-9._@+-]*$' and octet_length(name) <= 64),
  password_hash text not null check (octet_length(password_hash) = 60),
  created_at timestamptz not null default clock_timestamp(),
  -- when the password was set
  changed_at timestamptz not null default clock_timestamp()
);

-- A login that goes on. Whoever reads this table has no token: only a hash of it is kept.
create table orca.sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_name text collate "C" not null references orca.users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sessions_of_user on orca.sessions (user_name, created_at);
create index sessions_by_expiry on orca.sessions (expires_at);

-- The logins of the last minutes that haven't succeeded: too many of a name or from an address have the next ones refused.
create table orca.login_failures (
  id bigint generated always as identity primary key,
  -- null if no user can have the name that was given
  name text collate "C" check (octet_length(name) <= 64),
  address inet not null,
  at timestamptz not null default clock_timestamp()
);
create index login_failures_of_name on orca.login_failures (name, at) where name is not null;
create index login_failures_of_address on orca.login_failures (address, at);
create index login_failures_by_time on orca.login_failures (at);

-- Whether a pipeline has mapped steps is in its description.
alter table orca.pipelines drop column mapped_steps;
` },
  { version: 9, name: "pages-reads", sql: `-- A pipeline's newest runs that aren't queued: of a backfill there may be any number before them. By an expression, as those of 0007.
create index runs_reached on orca.runs (pipeline, id) where lower(status) <> 'queued';
` },
  { version: 10, name: "run-processes", sql: `-- Of the processes that schedulers start for a run: how many there were, and of the newest which program it has, and where what it prints is.

alter table orca.runs
  add column launches integer not null default 0 check (launches >= 0),
  add column program text check (octet_length(program) <= 4096),
  add column log text check (octet_length(log) <= 4096);

-- A new run's token: a UUID of version 7, which begins with the time. Random ones are entered all over their index, each into a page of its own, and the more the longer
-- the history is.
create function orca.run_token() returns uuid language sql volatile parallel unsafe as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;
` },
  { version: 11, name: "keys", sql: `-- The partitions that are known of each pipeline, so that pages can count and list them without reading what was done.

-- What partitions are done with: the hash of each step that has succeeded, and by no name the code whose run of gather steps alone has. They are few, however many partitions there are.
create table orca.key_codes (
  pipeline text collate "C" not null references orca.pipelines (name),
  code uuid not null,
  hashes jsonb not null,
  primary key (pipeline, code)
);

-- A partition that was queued, or that a program said to be there. Its code is what it was done with when its last run ended; none if no step has succeeded.
create table orca.keys (
  pipeline text collate "C" not null references orca.pipelines (name),
  key text collate "C" not null,
  code uuid,
  primary key (pipeline, key) include (code)
) with (fillfactor = 80);
create index keys_by_code on orca.keys (pipeline, code, key);
-- which runs are live of keys is read from the index alone
drop index orca.run_keys_live;
create index run_keys_live on orca.run_keys (pipeline, key) include (run) where is_live;

-- Ranges of a pipeline's keys in the order of their names, and how many of their keys are in which state: a strip of 120,000 keys is some hundred rows.
-- A range is up to the next one's first key, and is counted anew after a run has changed one of its keys.
create table orca.key_ranges (
  pipeline text collate "C" not null references orca.pipelines (name),
  first text collate "C" not null,
  counts jsonb not null default '[]',
  is_counted boolean not null default false,
  primary key (pipeline, first)
);
create index key_ranges_to_count on orca.key_ranges (pipeline, first) where not is_counted;
-- The runs whose keys' states have changed since they were counted; none for keys that a program said. Rows are only added, so that no run waits for another.
create table orca.key_changes (
  id bigint generated always as identity primary key,
  pipeline text collate "C" not null,
  run bigint
);
create index key_changes_of_pipeline on orca.key_changes (pipeline, id);

create or replace function orca.add_run_keys() returns trigger language plpgsql as $$
begin
  insert into orca.run_keys (pipeline, key, run, is_live)
  select distinct r.pipeline, k, r.id, orca.is_live(r.status) from made r, unnest(r.keys) as k;
  insert into orca.keys (pipeline, key)
  select distinct r.pipeline collate "C" as pipeline, k collate "C" as key from made r, unnest(r.keys) as k order by 1, 2
  on conflict do nothing;
  insert into orca.key_changes (pipeline, run) select pipeline, id from made;
  return null;
end
$$;
create function orca.note_key_changes() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  insert into orca.key_changes (pipeline, run) values (new.pipeline, new.id);
  return null;
end $$;
create trigger note_key_changes after update of status on orca.runs for each row
  when (old.status is distinct from new.status) execute function orca.note_key_changes();

-- It is noted where runs end, however they do. Until then their keys are queued or running, whatever they were done with.
create function orca.note_key_codes() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  with found as materialized (
    select k.key, of.hashes, md5(of.hashes::text)::uuid as code
    from unnest(new.keys) as k (key) cross join lateral (
      select jsonb_object_agg(s.step, (select d.hash from orca.partition_state d
        where d.pipeline = new.pipeline and d.step = s.step collate "C" and d.key = k.key collate "C" limit 1)) as all_of
      from (select jsonb_object_keys(step_hashes) as step from orca.versions where id = new.version union all select '') s
    ) a cross join lateral (select nullif(jsonb_strip_nulls(a.all_of), '{}') as hashes) of
  ), named as (
    insert into orca.key_codes (pipeline, code, hashes)
    select distinct new.pipeline, code, hashes from found where hashes is not null on conflict do nothing
  )
  insert into orca.keys as k (pipeline, key, code)
  select new.pipeline, key collate "C" as key, code from found order by 2
  on conflict (pipeline, key) do update set code = excluded.code where k.code is distinct from excluded.code;
  return null;
end $$;
create trigger note_key_codes after update of status on orca.runs for each row
  when (new.ended_at is not null and new.started_at is not null and old.status is distinct from new.status)
  execute function orca.note_key_codes();

-- those that there are
with found as materialized (
  select k.pipeline, k.key, d.hashes, md5(d.hashes::text)::uuid as code
  from (select distinct pipeline, key from orca.run_keys union select distinct pipeline, key from orca.partition_state) k
  left join (select pipeline, key, jsonb_object_agg(step, hash) as hashes from orca.partition_state group by pipeline, key) d using (pipeline, key)
), named as (
  insert into orca.key_codes (pipeline, code, hashes) select distinct pipeline, code, hashes from found where hashes is not null
)
insert into orca.keys (pipeline, key, code) select pipeline, key, code from found;

-- What a sensor saw last, and what it started.
create index seen_snapshots_newest on orca.seen_snapshots (pipeline, at);
create index run_causes_of_snapshot on orca.run_causes (dataset, snapshot, run);
` },
  { version: 12, name: "key-changes", sql: `-- A change without a run says that all of its pipeline's ranges are to be counted anew. While there is one, no other needs to be noted: so that nothing grows where nobody
-- looks at the pipeline, whose ranges nobody has made or counted since.
create index key_changes_of_all on orca.key_changes (pipeline) where run is null;

-- Whoever finds it holds it until its own change is committed, so that nobody takes it before that change is seen. One that is being taken isn't waited for.
create function orca.note_key_changes_of(pipelines text[], runs bigint[]) returns void language plpgsql set search_path = pg_catalog as $$
declare
  newest bigint;
begin
  with changed as materialized (
    select c.pipeline collate "C" as pipeline, c.run from unnest(pipelines, runs) as c (pipeline, run)
  ), noted as materialized (
    select k.pipeline from (select distinct pipeline from changed) p cross join lateral (
      select pipeline from orca.key_changes where pipeline = p.pipeline and run is null order by id limit 1 for key share skip locked) k
  ), added as (
    insert into orca.key_changes (pipeline, run)
    select distinct c.pipeline,
      case when (select true from orca.key_ranges r where r.pipeline = c.pipeline limit 1) then c.run end
    from changed c where c.pipeline not in (select pipeline from noted)
    returning id
  )
  select max(id) into newest from added where id % 100 = 0;
  -- those that nobody has counted for long become one of each pipeline
  if newest is not null then
    with old as materialized (
      select id, pipeline, run from orca.key_changes where id <= newest - 10000 order by id limit 10000 for update skip locked
    ), gone as (
      delete from orca.key_changes where id = any (array(select id from old where run is not null))
    )
    insert into orca.key_changes (pipeline)
    select distinct pipeline from old where run is not null
    except select pipeline from old where run is null;
  end if;
end $$;

create or replace function orca.note_key_changes() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform orca.note_key_changes_of(array[new.pipeline], array[new.id]);
  return null;
end $$;

create or replace function orca.add_run_keys() returns trigger language plpgsql as $$
begin
  insert into orca.run_keys (pipeline, key, run, is_live)
  select distinct r.pipeline, k, r.id, orca.is_live(r.status) from made r, unnest(r.keys) as k;
  insert into orca.keys (pipeline, key)
  select distinct r.pipeline collate "C" as pipeline, k collate "C" as key from made r, unnest(r.keys) as k order by 1, 2
  on conflict do nothing;
  perform orca.note_key_changes_of(array_agg(pipeline), array_agg(id)) from made having count(*) > 0;
  return null;
end
$$;

-- What keys are done with is found out where they are counted, not where runs end, which it would hold up. A key's pipeline is its run's, or one that was just registered.
drop trigger note_key_codes on orca.runs;
drop function orca.note_key_codes();
alter table orca.keys drop constraint keys_pipeline_fkey;
-- other code has other steps, of which keys may have been done with some before
create function orca.note_version_changes() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  perform orca.note_key_changes_of(array[new.name], array[null::bigint]);
  return null;
end $$;
create trigger note_version_changes after update of version on orca.pipelines for each row
  when (old.version is distinct from new.version) execute function orca.note_version_changes();
insert into orca.key_changes (pipeline) select distinct pipeline from orca.key_ranges;
` },
  { version: 13, name: "run-order", sql: `-- Runs of a pipeline that share a key are done in the order of their numbers.

-- The earlier run that a queued run was found to wait for: until that has ended for good it isn't looked at again, however long the queue is. Only runs with
-- smaller numbers are waited for here, so that there is never a circle.
alter table orca.runs add column waits_for bigint;
create index runs_waiting on orca.runs (waits_for) where waits_for is not null;
create index runs_startable on orca.runs (pipeline, (coalesce(backfill, 0)), id) where status = 'queued' and waits_for is null;
-- which of a key's live runs is the one before another is read at its end
drop index orca.run_keys_live;
create index run_keys_live on orca.run_keys (pipeline, key, run) where is_live;
` },
  { version: 14, name: "run-keys-in-order", sql: `-- Rows go into an index in its order: a backfill of 100,000 keys is queued a seventh sooner than in the order that duplicates are found in.
create or replace function orca.add_run_keys() returns trigger language plpgsql as $$
begin
  insert into orca.run_keys (pipeline, key, run, is_live)
  select distinct r.pipeline collate "C" as pipeline, k collate "C" as key, r.id, orca.is_live(r.status) from made r, unnest(r.keys) as k order by 1, 2, 3;
  insert into orca.keys (pipeline, key)
  select distinct r.pipeline collate "C" as pipeline, k collate "C" as key from made r, unnest(r.keys) as k order by 1, 2
  on conflict do nothing;
  perform orca.note_key_changes_of(array_agg(pipeline), array_agg(id)) from made having count(*) > 0;
  return null;
end
$$;
` },
  { version: 15, name: "code-locations", sql: `-- Where the code of a version is declared: of the pipeline, and of its steps and tasks by their names, a file in the repository and a line.
alter table orca.versions add column locations jsonb;
` },
  { version: 16, name: "asking-errors", sql: `-- Why the program of a sensor couldn't say what its datasets hold, or its keys, when it was asked last.
alter table orca.pipelines
  add column sense_error text check (octet_length(sense_error) <= 4096),
  add column keys_error text check (octet_length(keys_error) <= 4096);
` },
  { version: 17, name: "checked-by-runs", sql: `-- What is written of runs' keys is written with the run, which is of a pipeline. Asking for both again was a third of what it takes to queue a key, and a tenth
-- of what it takes to end a step; and all runs of a pipeline locked its row together.
alter table orca.run_keys drop constraint run_keys_run_fkey;
alter table orca.partition_state drop constraint partition_state_pipeline_fkey;
` },
];
