/** Changes of a table's metadata alone: the updates, and what they require of the table, so that they can be applied to what it has become. */
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../json/json.ts";
import { type SortBy, sortFields } from "../partition/sort-by.ts";
import { sortOrderToJson } from "../partition/sort-order.ts";
import { changeSpec, type SpecChange } from "../partition/spec-changes.ts";
import { parseSpec, sameSpec, specToJson } from "../partition/spec.ts";
import { changeSchema, type SchemaChange } from "../schema/changes.ts";
import { itemOf } from "../schema/columns.ts";
import { schemaToJson } from "../schema/schema.ts";
import type { Type } from "../schema/type.ts";
import { refused } from "./refused.ts";
import { checkChanges, checkList } from "./lists.ts";
import { checkTexts } from "./texts.ts";
import { sameTable, type TableRequirement } from "./requirements.ts";
import { schemaOf, sortOrderOf, specOf, type TableMetadata } from "./table-metadata.ts";
import type { TableUpdate } from "./updates.ts";

export interface MetadataChange {
  readonly requirements: readonly TableRequirement[];
  /** None if the table is so already. */
  readonly updates: readonly TableUpdate[];
}

type Adding = Extract<SchemaChange, { change: "add" }>;
type Promoting = Extract<SchemaChange, { change: "promote" }>;

/** A change of a schema, with types as texts too: `{ change: "add", column: "wind", type: "double?" }`. */
export type SchemaChangeNotation =
  | Exclude<SchemaChange, { change: "add" | "promote" }>
  | (Omit<Adding, "type"> & { readonly type: Type | string })
  | (Omit<Promoting, "to"> & { readonly to: Type | string });

/** @throws IcebergError `invalid-change`; `invalid-metadata` on what is no type. */
export function schemaChange(metadata: TableMetadata, changes: readonly SchemaChangeNotation[]): MetadataChange {
  checkChanges(changes, "columns");
  const schema = schemaOf(metadata);
  const draft = { schema, lastColumnId: metadata["last-column-id"], formatVersion: metadata["format-version"] };
  const changed = changeSchema(draft, changes.map(withType));
  if (JSON.stringify(changed.schema) === JSON.stringify(schema)) return { requirements: [], updates: [] };
  return {
    requirements: [
      ...sameTable(metadata),
      ...ofSchema(metadata),
      { type: "assert-last-assigned-field-id", "last-assigned-field-id": metadata["last-column-id"] },
    ],
    updates: [
      {
        action: "add-schema",
        schema: schemaToJson(changed.schema) as JsonObject,
        "last-column-id": changed.lastColumnId,
      },
      { action: "set-current-schema", "schema-id": -1 },
    ],
  };
}

/** @throws IcebergError `invalid-change` */
export function specChange(metadata: TableMetadata, changes: readonly SpecChange[]): MetadataChange {
  checkChanges(changes, "partitions");
  const spec = specOf(metadata);
  const fields = changeSpec(spec, changes, {
    schema: schemaOf(metadata),
    formatVersion: metadata["format-version"],
    specs: metadata["partition-specs"].map((json) => parseSpec(json)),
    lastPartitionId: metadata["last-partition-id"],
  });
  if (sameSpec(spec, { ...spec, fields })) return { requirements: [], updates: [] };
  return {
    requirements: [
      ...sameTable(metadata),
      ...ofSchema(metadata),
      { type: "assert-default-spec-id", "default-spec-id": metadata["default-spec-id"] },
      { type: "assert-last-assigned-partition-id", "last-assigned-partition-id": metadata["last-partition-id"] },
    ],
    updates: [
      { action: "add-spec", spec: specToJson({ ...spec, fields }) as JsonObject },
      { action: "set-default-spec", "spec-id": -1 },
    ],
  };
}

/** @throws IcebergError `invalid-change` */
export function sortOrderChange(metadata: TableMetadata, by: readonly (string | SortBy)[]): MetadataChange {
  checkList(by, "what a table is sorted by");
  const order = sortOrderOf(metadata);
  const fields = sortFields(by, schemaOf(metadata));
  if (JSON.stringify(fields) === JSON.stringify(order.fields)) return { requirements: [], updates: [] };
  return {
    requirements: [
      ...sameTable(metadata),
      ...ofSchema(metadata),
      { type: "assert-default-sort-order-id", "default-sort-order-id": metadata["default-sort-order-id"] },
    ],
    updates: [
      // 0 is the order of no fields, and of no others
      {
        action: "add-sort-order",
        "sort-order": sortOrderToJson({ id: fields.length === 0 ? 0 : 1, fields }) as JsonObject,
      },
      { action: "set-default-sort-order", "sort-order-id": -1 },
    ],
  };
}

/** Properties that are set and removed, whatever others do meanwhile. */
export function propertiesChange(
  metadata: TableMetadata,
  set: Readonly<Record<string, string>>,
  remove: readonly string[],
): MetadataChange {
  checkTexts(set, "the property");
  checkList(remove, "what the names of properties are given as");
  return {
    requirements: sameTable(metadata),
    updates: [
      ...(Object.keys(set).length === 0 ? [] : [{ action: "set-properties", updates: set } as const]),
      ...(remove.length === 0 ? [] : [{ action: "remove-properties", removals: remove } as const]),
    ],
  };
}

/** To a later version of the format; none if the table has it. */
export function upgradeChange(metadata: TableMetadata, formatVersion: 2): MetadataChange {
  if (formatVersion !== 2) throw refused(`tables are upgraded to version 2, and not to ${String(formatVersion)}`);
  if (metadata["format-version"] === formatVersion) return { requirements: [], updates: [] };
  return {
    requirements: sameTable(metadata),
    updates: [
      ...(metadata["table-uuid"] === undefined ? [{ action: "assign-uuid", uuid: randomUUID() } as const] : []),
      { action: "upgrade-format-version", "format-version": formatVersion },
    ],
  };
}

function ofSchema(metadata: TableMetadata): readonly TableRequirement[] {
  return [{ type: "assert-current-schema-id", "current-schema-id": metadata["current-schema-id"] }];
}

function withType(change: SchemaChangeNotation): SchemaChange {
  if (change.change === "add" && typeof change.type === "string")
    return { ...change, ...itemOf(change.type, change.column) };
  if (change.change === "promote" && typeof change.to === "string")
    return { ...change, to: itemOf(change.to, change.column).type };
  return change as SchemaChange;
}
