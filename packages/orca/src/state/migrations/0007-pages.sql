-- What the pages show that no pass and no run needs.

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
