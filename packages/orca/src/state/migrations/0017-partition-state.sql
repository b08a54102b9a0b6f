-- What is done is of runs, which are of pipelines: asked again for each step that ends, the same was a tenth of what that takes, and all runs of a
-- pipeline locked its row together.
alter table orca.partition_state drop constraint partition_state_pipeline_fkey;
