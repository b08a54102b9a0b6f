-- Runs of a pipeline that share a key are done in the order of their numbers.

-- The earlier run that a queued run was found to wait for: until that has ended for good it isn't looked at again, however long the queue is. Only runs with
-- smaller numbers are waited for here, so that there is never a circle.
alter table orca.runs add column waits_for bigint;
create index runs_waiting on orca.runs (waits_for) where waits_for is not null;
create index runs_startable on orca.runs (pipeline, (coalesce(backfill, 0)), id) where status = 'queued' and waits_for is null;
-- which of a key's live runs is the one before another is read at its end
drop index orca.run_keys_live;
create index run_keys_live on orca.run_keys (pipeline, key, run) where is_live;
