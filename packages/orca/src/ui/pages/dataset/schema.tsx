import type { Column, Type } from "../../../core/datasets/column.ts";
import type { Field } from "../../../core/datasets/field.ts";

/** The columns that a pipeline declares. */
export function SchemaTable({
  columns,
  partitionBy,
}: {
  readonly columns: readonly Column[];
  readonly partitionBy: readonly Field[];
}) {
  return (
    <table class="tbl">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Type</th>
          <th scope="col">Null</th>
          <th scope="col">
            <span class="vh">Note</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, type, nullable, doc }) => {
          const parts = partitionBy.filter((field) => field.column === name).map(partitionWords);
          return (
            <tr>
              <th scope="row" class="mono">
                {name}
              </th>
              <td class="mono">{typeWords(type)}</td>
              <td>{nullable ? "yes" : <span class="dim">no</span>}</td>
              <td class="dim">{[...parts, ...(doc === undefined ? [] : [doc])].join("; ")}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function partitionWords({ transform }: Field): string {
  return transform === "identity" ? "partition" : `partition by ${transform}`;
}

/** `day`, `bucket(16, id)`. */
export function fieldWords({ transform, column, size }: Field): string {
  if (transform === "identity") return column;
  return size === undefined ? `${transform}(${column})` : `${transform}(${size}, ${column})`;
}

/** `decimal(10, 2)`, `[string]`, `{ lat: double }`. */
function typeWords(type: Type): string {
  switch (type.type) {
    case "decimal":
      return `decimal(${type.precision}, ${type.scale})`;
    case "fixed":
      return `fixed(${type.length})`;
    case "list":
      return `[${typeWords(type.element.type)}]`;
    case "map":
      return `{ [${typeWords(type.key)}]: ${typeWords(type.value.type)} }`;
    case "struct":
      return `{ ${type.fields.map((field) => `${field.name}: ${typeWords(field.type)}`).join(", ")} }`;
    default:
      return type.type;
  }
}
