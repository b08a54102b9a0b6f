/** Orca's authoring API: steps, pipelines, partitions, schedules, datasets and tasks. */
export { task, type Ref, type Task } from "@orcajs/dista";
export type { Ctx, GatherCtx, MappedCtx, Run, Snapshot, StepCtx, Table } from "./core/ctx.ts";
export { nullable, type Columns, type ColumnType } from "./core/datasets/column-notation.ts";
export { dataset, type Dataset, type RowOf } from "./core/datasets/dataset.ts";
export { DateTime, Instant, Time, type Decimal } from "./core/datasets/moments.ts";
export type { Rows, RowToAppend } from "./core/datasets/rows.ts";
export type { Duration } from "./core/duration.ts";
export { OrcaError, type ErrorCode } from "./core/errors.ts";
export { Day } from "./core/keys/day.ts";
export { Month } from "./core/keys/month.ts";
export { Name } from "./core/keys/name.ts";
export type { PartitionKey } from "./core/keys/partition-key.ts";
export { daily, keyed, monthly, type Daily, type Keyed, type Monthly, type Partitions } from "./core/partitions.ts";
export { pipeline, type Pipeline } from "./core/pipeline.ts";
export { cron, type Cron } from "./core/schedule/cron.ts";
export { sql } from "./core/sql/fragment.ts";
export type { InSql, Relation, Row, Scan, Sql } from "./core/sql/relation.ts";
export { gather, mapped, type Gather, type Mapped, type Step } from "./core/step.ts";
