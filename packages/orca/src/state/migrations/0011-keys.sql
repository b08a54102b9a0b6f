-- The partitions that are known of each pipeline, so that pages can count and list them without reading what was done.

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
