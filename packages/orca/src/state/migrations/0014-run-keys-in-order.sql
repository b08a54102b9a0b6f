-- Rows go into an index in its order: a backfill of 100,000 keys is queued a seventh sooner than in the order that duplicates are found in.
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
