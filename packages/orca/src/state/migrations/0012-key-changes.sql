-- A change without a run says that all of its pipeline's ranges are to be counted anew. While there is one, no other needs to be noted: so that nothing grows where nobody
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
