-- The snapshots of tables that attempts read and made. They outlive their runs, as lineage needs them, so that nothing refers to those.

create table orca.reads (
  run bigint not null,
  step text collate "C" not null,
  partition text collate "C" not null,
  attempt integer not null,
  dataset text collate "C" not null check (octet_length(dataset) between 1 and 1024),
  location text not null check (octet_length(location) <= 4096),
  -- none if the table had none: then the step reads it as empty
  snapshot bigint,
  at timestamptz not null default clock_timestamp(),
  primary key (run, step, partition, dataset, attempt)
);
create index reads_of_snapshot on orca.reads (dataset, snapshot);
create index reads_by_time on orca.reads (dataset, at);

create table orca.commits (
  run bigint not null,
  step text collate "C" not null,
  partition text collate "C" not null,
  attempt integer not null,
  -- its place among the attempt's commits; a later attempt that finds it has it in the same place
  number integer not null check (number > 0),
  dataset text collate "C" not null check (octet_length(dataset) between 1 and 1024),
  location text not null check (octet_length(location) <= 4096),
  snapshot bigint not null,
  operation text not null check (operation in ('append', 'overwrite', 'delete', 'replace')),
  at timestamptz not null default clock_timestamp(),
  primary key (run, step, partition, attempt, number)
);
create index commits_of_snapshot on orca.commits (dataset, snapshot);
create index commits_by_time on orca.commits (dataset, at);
