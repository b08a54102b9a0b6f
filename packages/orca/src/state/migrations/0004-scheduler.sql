-- What the scheduler knows and decides: registered pipelines, the queue, fires, sensors, backfills and rebuilds.
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
