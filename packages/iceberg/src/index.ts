/** Iceberg tables: catalogs and tables, and beneath them the format's types, metadata, manifests and filters, as pure functions. */
export { ICEBERG_ERRORS, IcebergError, type IcebergErrorCode } from "./errors.ts";
export { parseJson, stringifyJson, type Json, type JsonObject } from "./json/json.ts";

export type { PrimitiveValue, StructValue, Value } from "./values/value.ts";
export { toPrimitive, toValue } from "./values/to-value.ts";
export { valueText } from "./values/text.ts";
export { fromBytes, toBytes } from "./values/binary.ts";
export { BOUND_LENGTH, lowerBound, upperBound } from "./values/bounds.ts";
export { compareValues } from "./values/compare.ts";

export { childFields, isNested, SIMPLE_KINDS } from "./schema/type.ts";
export type {
  DecimalType,
  Field,
  FixedType,
  ListType,
  MapType,
  NestedType,
  PrimitiveType,
  SimpleType,
  StructType,
  Type,
} from "./schema/type.ts";
export { typeText } from "./schema/type-text.ts";
export { parseType, typeToJson } from "./schema/type-json.ts";
export { fieldByName, fieldsById, parseSchema, schemaToJson, type FieldPlace, type Schema } from "./schema/schema.ts";
export { canPromote } from "./schema/promote.ts";
export { changeSchema, type SchemaChange, type SchemaDraft } from "./schema/changes.ts";
export {
  addName,
  NAME_MAPPING_PROPERTY,
  nameMappingOf,
  nameMappingToJson,
  parseNameMapping,
  type MappedField,
  type NameMapping,
} from "./schema/name-mapping.ts";
export {
  fileFieldsOf,
  projectFields,
  type FieldSource,
  type FileField,
  type ProjectionOptions,
} from "./schema/projection.ts";

export { parseTransform, resultType, transformText, type Transform } from "./partition/transform.ts";
export { applyTransform } from "./partition/apply.ts";
export {
  parseSpec,
  specToJson,
  typedFields,
  UNPARTITIONED,
  type PartitionField,
  type PartitionSpec,
  type TypedPartitionField,
} from "./partition/spec.ts";
export { changeSpec, type PartitionBy, type SpecChange, type SpecContext } from "./partition/spec-changes.ts";
export { parseSortOrder, sortOrderToJson, UNSORTED, type SortField, type SortOrder } from "./partition/sort-order.ts";
export { partitionPath, partitionText } from "./partition/path.ts";

export {
  ALWAYS,
  and,
  eq,
  ge,
  gt,
  isIn,
  isNull,
  le,
  lt,
  ne,
  NEVER,
  not,
  notIn,
  notNull,
  or,
  startsWith,
  type Comparison,
  type Literal,
  type Predicate,
} from "./predicate/predicate.ts";
export { bind, type BoundColumn, type BoundPredicate, type BoundTest } from "./predicate/bind.ts";
export { matches } from "./predicate/evaluate.ts";
export { mayMatch } from "./predicate/may-match.ts";
export { allMatch } from "./predicate/all-match.ts";
export { projectPredicate } from "./predicate/project.ts";
export type { ColumnStats, StatsOf } from "./predicate/column-stats.ts";

export type { DataFile, EntryStatus, ManifestEntry, ManifestFile, PartitionSummary } from "./manifest/data-file.ts";
export { readManifest, type ReadManifestOptions } from "./manifest/read-manifest.ts";
export { writeManifest, type NewEntry, type NewManifest } from "./manifest/write-manifest.ts";
export { readManifestList, writeManifestList, type NewManifestList } from "./manifest/manifest-list.ts";
export { withSequenceNumber } from "./manifest/summary.ts";
export { fileStats, manifestStats, partitionStats } from "./manifest/stats.ts";

export {
  MAIN,
  schemaOf,
  snapshotById,
  snapshotIdAt,
  snapshotOfRef,
  sortOrderOf,
  specOf,
  type FormatVersion,
  type MetadataLogEntry,
  type Snapshot,
  type SnapshotLogEntry,
  type SnapshotRef,
  type StatisticsFile,
  type TableMetadata,
} from "./metadata/table-metadata.ts";
export { metadataFromJson, parseMetadata } from "./metadata/parse.ts";
export { metadataText } from "./metadata/serialise.ts";
export { newTable, type NewTable } from "./metadata/new-table.ts";
export type { TableUpdate } from "./metadata/updates.ts";
export { applyUpdates } from "./metadata/apply.ts";
export { checkRequirements, type TableRequirement } from "./metadata/requirements.ts";
export { afterMetadataFile } from "./metadata/history.ts";

export { fieldsOf, nullable, type ColumnNotation, type Columns } from "./schema/columns.ts";
export { sortFields, type SortBy } from "./partition/sort-by.ts";
export type { SchemaChangeNotation } from "./metadata/metadata-changes.ts";
export type { Catalog, CreateTableOptions, DropTableOptions } from "./catalog/catalog.ts";
export { openCatalog, type CatalogOptions } from "./catalog/open.ts";
export { createTable, type CreateTableAtOptions, openTable, type OpenTableOptions } from "./catalog/open-table.ts";
export type { RestOptions } from "./catalog/rest/options.ts";
export type { TableChange, TableOperations, TableState } from "./catalog/table-operations.ts";
export { TableFiles, type ListedFile, type ReadFileOptions } from "./files/table-files.ts";
export { Engine, type EngineOptions } from "./engine/engine.ts";
export { Table } from "./table.ts";
export { appendRows, replacePartitions, type RowCommitOptions } from "./rows/add-rows.ts";
export { type ReplaceOptions, replaceRows } from "./rows/replace-rows.ts";
export type { PreparedQuery, QuerySource } from "./engine/query-source.ts";
export { type ColumnBatch, Relation, type Row } from "./engine/relation.ts";
export { rowOrigins, type RowOrigin, type RowOrigins } from "./scan/row-origins.ts";
export { planFiles, type PlanOptions, type ScanPlan } from "./scan/plan.ts";
export type { FileTask, PlannedFile } from "./scan/file-task.ts";
export type { ChangesBetween } from "./scan/incremental.ts";
export type { SnapshotChoice } from "./scan/snapshot-choice.ts";
export { sql } from "./sql/fragment.ts";
export type { InSql, Sql, SqlBuilder, SqlPieces, SqlTag } from "./sql/in-sql.ts";
export { Scan, scanTable, type ScannedTable, type ScanOptions } from "./scan/scan.ts";
export { writeRows, type RowsToWrite, type WriteContext, type WriteOptions } from "./write/write-rows.ts";
export { fileOf, type FileOfOptions } from "./write/file-of.ts";
export type { GivenRow } from "./write/row-values.ts";
export { isArrowBatch, type ArrowBatch } from "./write/arrow-rows.ts";
export type { Compression } from "./write/write-settings.ts";
export { commitFiles, type CommitOptions } from "./commit/commit-files.ts";
export type { Committed } from "./commit/commit-snapshot.ts";
export { overwritePartitions, type PartitionOfSpec, type PartitionsChange } from "./commit/overwrite-partitions.ts";
export { planDelete, withDeletes, type DeletePlan, type DeletePlanOptions } from "./commit/plan-delete.ts";
export { findCommit } from "./commit/find-commit.ts";
export type { FileChange, FileOfSpec, Operation } from "./commit/file-change.ts";
export {
  createBranch,
  createTag,
  fastForward,
  removeRef,
  replaceRef,
  setRetention,
  type NewRefOptions,
  type Retention,
} from "./refs/refs.ts";
export type { TableRefs } from "./refs/table-refs.ts";
export { cherryPick, rollbackTo, type BranchOptions } from "./refs/rollback.ts";
export { expireSnapshots, type ExpiredSnapshots, type ExpireOptions } from "./maintenance/expire-snapshots.ts";
export type { DeletedFiles } from "./maintenance/expired-files.ts";
export {
  commitRewrite,
  planRewrite,
  type RewriteGroup,
  type RewritePlan,
  type RewritePlanOptions,
} from "./maintenance/plan-rewrite.ts";
export { rewriteFiles, type RewriteOptions, type RewrittenFiles } from "./maintenance/rewrite-files.ts";
export type { TableMaintenance } from "./maintenance/table-maintenance.ts";
export { removeOrphans, type OrphanOptions } from "./maintenance/remove-orphans.ts";
export type { RetentionPolicy } from "./maintenance/retention.ts";
export { rewriteManifests, type RewriteManifestsOptions } from "./maintenance/rewrite-manifests.ts";
