-- When a keyed sensor's program was last asked for its keys: one that can't say them is asked again after a while, and holds up no others.

alter table orca.pipelines add column keys_asked_at timestamptz;
