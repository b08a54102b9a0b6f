/** The first metadata of a table. */
import type { JsonObject } from "../json/json.ts";
import { PARTITION_ID_FIRST, specToJson } from "../partition/spec.ts";
import { changeSpec, type PartitionBy } from "../partition/spec-changes.ts";
import {
  checkSchema,
  fieldByName,
  highestId,
  type Schema,
  schemaToJson,
  structOf,
  withNewIds,
} from "../schema/schema.ts";
import type { Field, StructType } from "../schema/type.ts";
import type { FormatVersion, TableMetadata } from "./table-metadata.ts";

export interface NewTable {
  /** Ids in it only tell its fields apart: the table's are new, from 1. */
  readonly fields: readonly Field[];
  /** Columns that identify a row together. */
  readonly identifiedBy?: readonly string[];
  /** Default: not partitioned. */
  readonly partitionBy?: readonly PartitionBy[];
  readonly location: string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Default 2. */
  readonly formatVersion?: Exclude<FormatVersion, 3>;
  readonly uuid: string;
  readonly nowMs: number;
}

/**
 * The metadata of a table without rows: schema, spec and sort order 0, and no snapshot.
 *
 * @throws IcebergError `invalid-metadata` if the fields aren't valid; `invalid-change` if they can't be partitioned so.
 */
export function newTable(table: NewTable): TableMetadata {
  let lastId = 0;
  const { fields } = withNewIds(structOf(table), () => ++lastId) as StructType;
  const named: Schema = { id: 0, fields, identifierIds: [] };
  const identifierIds = (table.identifiedBy ?? []).map((column) => fieldByName(named, column)?.field.id ?? -1);
  const schema = checkSchema({ ...named, identifierIds });
  const formatVersion = table.formatVersion ?? 2;
  const changes = (table.partitionBy ?? []).map((by) => ({ change: "add" as const, ...by }));
  const context = { schema, formatVersion, specs: [], lastPartitionId: PARTITION_ID_FIRST - 1 };
  const partitionFields = changeSpec({ fields: [] }, changes, context);
  return {
    "format-version": formatVersion,
    "table-uuid": table.uuid,
    location: table.location.replace(/\/+$/, ""),
    "last-sequence-number": 0,
    "last-updated-ms": table.nowMs,
    "last-column-id": highestId(fields),
    schemas: [schemaToJson(schema) as JsonObject],
    "current-schema-id": 0,
    "partition-specs": [specToJson({ id: 0, fields: partitionFields }) as JsonObject],
    "default-spec-id": 0,
    "last-partition-id": Math.max(PARTITION_ID_FIRST - 1, ...partitionFields.map((f) => f.fieldId)),
    properties: table.properties ?? {},
    snapshots: [],
    "snapshot-log": [],
    "metadata-log": [],
    "sort-orders": [{ "order-id": 0, fields: [] }],
    "default-sort-order-id": 0,
    refs: {},
    statistics: [],
    "partition-statistics": [],
  };
}
