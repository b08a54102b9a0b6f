-- The hash of the code that made a commit, if the snapshot says it: a run that goes on with new code finds commits that its old code has made.

alter table orca.commits add column code text collate "C";
