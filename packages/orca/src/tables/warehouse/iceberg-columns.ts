/** A dataset's columns as Iceberg has them, and a table's as datasets do. */
import type { Field as IcebergField, PartitionBy, SortBy, Type as IcebergType } from "@orcajs/iceberg";
import type { Column, Item, Type } from "../../core/datasets/column.ts";
import type { Field, Order } from "../../core/datasets/field.ts";

/** Fields for a new table, or for columns that are added: their ids only tell them apart. */
export function icebergFields(columns: readonly Column[]): readonly IcebergField[] {
  let id = 0;
  const next = () => ++id;
  const fieldOf = (column: Column): IcebergField => ({
    id: next(),
    name: column.name,
    required: !column.nullable,
    type: typeOf(column.type),
    ...(column.doc !== undefined && { doc: column.doc }),
  });
  const typeOf = (type: Type): IcebergType => {
    switch (type.type) {
      case "decimal":
        return { kind: "decimal", precision: type.precision, scale: type.scale };
      case "fixed":
        return { kind: "fixed", length: type.length };
      case "struct":
        return { kind: "struct", fields: type.fields.map(fieldOf) };
      case "list": {
        const { element } = type;
        return { kind: "list", elementId: next(), elementRequired: !element.nullable, element: typeOf(element.type) };
      }
      case "map": {
        const { key, value } = type;
        const ids = { keyId: next(), valueId: next() };
        return { kind: "map", ...ids, key: typeOf(key), valueRequired: !value.nullable, value: typeOf(value.type) };
      }
      default:
        return { kind: type.type };
    }
  };
  return columns.map(fieldOf);
}

/** The columns of a table. What datasets have no type for is undefined: such columns are another writer's. */
export function columnsOfTable(fields: readonly IcebergField[]): readonly Column[] {
  return fields.map(({ name, required, type, doc }) => ({
    name,
    ...itemOf(type, required),
    ...(doc !== undefined && { doc }),
  }));
}

function itemOf(type: IcebergType, required: boolean): Item {
  return { type: typeOf(type), nullable: !required };
}

function typeOf(type: IcebergType): Type {
  switch (type.kind) {
    case "decimal":
      return { type: "decimal", precision: type.precision, scale: type.scale };
    case "fixed":
      return { type: "fixed", length: type.length };
    case "struct":
      return { type: "struct", fields: columnsOfTable(type.fields) };
    case "list":
      return { type: "list", element: itemOf(type.element, type.elementRequired) };
    case "map":
      return { type: "map", key: typeOf(type.key), value: itemOf(type.value, type.valueRequired) };
    case "timestamp_ns":
      return { type: "timestamp" };
    case "timestamptz_ns":
      return { type: "timestamptz" };
    default:
      return { type: type.kind };
  }
}

/** How a dataset's files are parted, as Iceberg is told. */
export function icebergPartitions(fields: readonly Field[]): readonly PartitionBy[] {
  return fields.map((field) => ({ column: field.column, transform: transformOf(field) }));
}

/** How a dataset's rows are sorted, as Iceberg is told. */
export function icebergOrder(orders: readonly Order[]): readonly SortBy[] {
  return orders.map((order) => ({
    column: order.column,
    transform: transformOf(order),
    direction: order.direction,
    nullOrder: order.nulls === "first" ? "nulls-first" : "nulls-last",
  }));
}

function transformOf({ transform, size }: Field): string {
  return size === undefined ? transform : `${transform}[${size}]`;
}
