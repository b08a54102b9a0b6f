-- What schedulers look up, found however long the history and the queue are.

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
