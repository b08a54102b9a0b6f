-- A pipeline's newest runs that aren't queued: of a backfill there may be any number before them. By an expression, as those of 0007.
create index runs_reached on orca.runs (pipeline, id) where lower(status) <> 'queued';
