-- Where the code of a version is declared: of the pipeline, and of its steps and tasks by their names, a file in the repository and a line.
alter table orca.versions add column locations jsonb;
