/** Updates of schemas, partition specs and sort orders. What is added and is there already is used again. */
import { type JsonObject, stringifyJson } from "../json/json.ts";
import { parseSortOrder, sortOrderToJson, type SortOrder } from "../partition/sort-order.ts";
import { parseSpec, sameSpec, specToJson, typedFields } from "../partition/spec.ts";
import { fieldsById, highestId, parseSchema, schemaToJson } from "../schema/schema.ts";
import { resultType } from "../partition/transform.ts";
import type { Added } from "./apply.ts";
import { refused } from "./refused.ts";
import { schemaOf, specOf, type TableMetadata } from "./table-metadata.ts";
import type { TableUpdate } from "./updates.ts";

type StructureUpdate = Extract<
  TableUpdate,
  {
    readonly action:
      | "add-schema"
      | "set-current-schema"
      | "add-spec"
      | "set-default-spec"
      | "add-sort-order"
      | "set-default-sort-order"
      | "remove-partition-specs"
      | "remove-schemas";
  }
>;

export function applyStructureUpdate(table: TableMetadata, update: StructureUpdate, added: Added): TableMetadata {
  switch (update.action) {
    case "add-schema":
      return addSchema(table, update.schema, added);
    case "set-current-schema": {
      const id = latest(update["schema-id"], added.schemaId, "schema");
      requireListed(table.schemas, "schema-id", id);
      const changed = { ...table, "current-schema-id": id };
      typedFields(specOf(changed), schemaOf(changed)); // a dropped column can't be partitioned by
      return changed;
    }
    case "add-spec":
      return addSpec(table, update.spec, added);
    case "set-default-spec": {
      const id = latest(update["spec-id"], added.specId, "partition spec");
      requireListed(table["partition-specs"], "spec-id", id);
      return { ...table, "default-spec-id": id };
    }
    case "add-sort-order":
      return addSortOrder(table, update["sort-order"], added);
    case "set-default-sort-order": {
      const id = latest(update["sort-order-id"], added.sortOrderId, "sort order");
      requireListed(table["sort-orders"], "order-id", id);
      return { ...table, "default-sort-order-id": id };
    }
    case "remove-partition-specs": {
      const ids = update["spec-ids"];
      if (ids.includes(table["default-spec-id"])) throw refused("the default partition spec can't be removed");
      return {
        ...table,
        "partition-specs": table["partition-specs"].filter((s) => !ids.includes(s["spec-id"] as number)),
      };
    }
    case "remove-schemas": {
      const ids = update["schema-ids"];
      if (ids.includes(table["current-schema-id"])) throw refused("the current schema can't be removed");
      return { ...table, schemas: table.schemas.filter((s) => !ids.includes((s["schema-id"] ?? 0) as number)) };
    }
    default:
      return update satisfies never;
  }
}

function addSchema(table: TableMetadata, json: JsonObject, added: Added): TableMetadata {
  const schema = parseSchema(json);
  const like = table.schemas.find((s) => sameButId(schemaToJson(parseSchema(s)), schemaToJson(schema), "schema-id"));
  if (like !== undefined) {
    added.schemaId = (like["schema-id"] ?? 0) as number;
    return table;
  }
  const id = nextId(table.schemas, "schema-id");
  added.schemaId = id;
  return {
    ...table,
    schemas: [...table.schemas, schemaToJson({ ...schema, id }) as JsonObject],
    "last-column-id": Math.max(table["last-column-id"], highestId(schema.fields)),
  };
}

function addSpec(table: TableMetadata, json: JsonObject, added: Added): TableMetadata {
  const spec = parseSpec(json);
  const unknown = spec.fields.find((f) => f.transform.kind === "unknown");
  if (unknown !== undefined) throw refused(`partition field ${unknown.name} has a transform that isn't known`);
  typedFields(spec, schemaOf(table));
  const like = table["partition-specs"].find((s) => sameSpec(parseSpec(s), spec));
  if (like !== undefined) {
    added.specId = like["spec-id"] as number;
    return table;
  }
  const id = nextId(table["partition-specs"], "spec-id");
  added.specId = id;
  return {
    ...table,
    "partition-specs": [...table["partition-specs"], specToJson({ ...spec, id }) as JsonObject],
    "last-partition-id": Math.max(table["last-partition-id"], ...spec.fields.map((f) => f.fieldId)),
  };
}

function addSortOrder(table: TableMetadata, json: JsonObject, added: Added): TableMetadata {
  const order = parseSortOrder(json);
  const columns = fieldsById(schemaOf(table));
  for (const { sourceId, transform } of order.fields) {
    const column = columns.get(sourceId);
    if (column === undefined) throw refused(`there is no column ${sourceId} to sort by`);
    resultType(transform, column.field.type);
  }
  const like = table["sort-orders"].find((s) => sameButId(s, sortOrderToJson(order), "order-id"));
  if (like !== undefined) {
    added.sortOrderId = like["order-id"] as number;
    return table;
  }
  // 0 is of no order at all
  const id = order.fields.length === 0 ? 0 : Math.max(1, nextId(table["sort-orders"], "order-id"));
  added.sortOrderId = id;
  return {
    ...table,
    "sort-orders": [...table["sort-orders"], sortOrderToJson({ ...order, id } satisfies SortOrder) as JsonObject],
  };
}

function latest(id: number, added: number | undefined, what: string): number {
  if (id !== -1) return id;
  if (added === undefined) throw refused(`-1 is the ${what} that was added last, and none was`);
  return added;
}

function requireListed(list: readonly JsonObject[], idName: string, id: number): void {
  if (!list.some((item) => (item[idName] ?? 0) === id)) throw refused(`the table has no ${idName} ${id}`);
}

function nextId(list: readonly JsonObject[], idName: string): number {
  return Math.max(-1, ...list.map((item) => (item[idName] ?? 0) as number)) + 1;
}

function sameButId(a: unknown, b: unknown, idName: string): boolean {
  const withoutId = (json: unknown) => stringifyJson({ ...(json as JsonObject), [idName]: undefined });
  return withoutId(a) === withoutId(b);
}
