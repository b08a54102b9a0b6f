/** The columns of a Parquet file's schema, which its footer has in one list: each part is followed by those within it. */
import { IcebergError } from "../errors.ts";
import type { FileField } from "../schema/projection.ts";
import type { NestedType } from "../schema/type.ts";

/** A part of a schema. */
export interface ParquetPart {
  readonly name: string;
  readonly id: number | undefined;
  readonly isRepeated: boolean;
  readonly childCount: number;
  /** What a group is: `LIST`, `MAP`, `MAP_KEY_VALUE`, or nothing. */
  readonly annotation: string;
}

/** A column, or a field in one, without the groups that only lists and maps are made of. */
export interface ParquetColumn<Part extends ParquetPart> {
  /** Parts of lists and maps are `element`, `key` and `value`, whatever the file has. */
  readonly name: string;
  readonly id: number | undefined;
  readonly kind: NestedType["kind"] | "primitive";
  readonly part: Part;
  readonly fields: readonly ParquetColumn<Part>[];
}

interface Node<Part> {
  readonly part: Part;
  readonly children: readonly Node<Part>[];
}

/** The columns of a schema whose root is the first part. */
export function columnsOfSchema<Part extends ParquetPart>(parts: readonly Part[]): readonly ParquetColumn<Part>[] {
  let next = 0;
  const node = (): Node<Part> => {
    const part = parts[next++];
    if (part === undefined) throw new IcebergError("invalid-file", "a Parquet file's schema ends within a group");
    return { part, children: Array.from({ length: part.childCount }, node) };
  };
  return node().children.map(columnOf);
}

/** The type of a column that has fields, of which none is known to be required. */
export function nestedType(
  kind: NestedType["kind"],
  fields: readonly Pick<FileField, "id" | "name" | "type">[],
): NestedType {
  const [first, second] = fields.map(({ id = -1, name, type }) => ({ id, name, required: false, type }));
  switch (kind) {
    case "list":
      return { kind, elementId: first!.id, elementRequired: false, element: first!.type };
    case "map": {
      const value = { valueId: second!.id, valueRequired: false, value: second!.type };
      return { kind, keyId: first!.id, key: first!.type, ...value };
    }
    case "struct":
      return { kind, fields: fields.map(({ id = -1, name, type }) => ({ id, name, required: false, type })) };
    default:
      return kind satisfies never;
  }
}

/** A column by the rules for nested types, also those for files of before them ("Logical Types" of Parquet, "Backward-compatibility rules"). */
function columnOf<Part extends ParquetPart>(node: Node<Part>): ParquetColumn<Part> {
  const { part, children } = node;
  const { name, id } = part;
  const [only] = children;
  if (isAnnotated(node, "MAP") && only?.part.isRepeated && only.children.length === 2) {
    const [key, value] = only.children.map(columnOf) as [ParquetColumn<Part>, ParquetColumn<Part>];
    const fields = [
      { ...key, name: "key" },
      { ...value, name: "value" },
    ];
    return { name, id, kind: "map", part, fields };
  }
  if (isAnnotated(node, "LIST") && only?.part.isRepeated) {
    const element = columnOf(isElement(only, name) ? once(only) : only.children[0]!);
    return { name, id, kind: "list", part, fields: [{ ...element, name: "element" }] };
  }
  if (part.isRepeated)
    return { name, id, kind: "list", part, fields: [{ ...columnOf(once(node)), id: undefined, name: "element" }] };
  return { name, id, kind: children.length === 0 ? "primitive" : "struct", part, fields: children.map(columnOf) };
}

/** Whether what is repeated in a list is the element itself: in lists of two levels. */
function isElement<Part extends ParquetPart>(repeated: Node<Part>, list: string): boolean {
  const { part, children } = repeated;
  return (
    children.length !== 1 ||
    part.name === "array" ||
    part.name === `${list}_tuple` ||
    isAnnotated(repeated, "LIST") ||
    isAnnotated(repeated, "MAP")
  );
}

function once<Part extends ParquetPart>({ part, children }: Node<Part>): Node<Part> {
  return { part: { ...part, isRepeated: false }, children };
}

function isAnnotated({ part, children }: Node<ParquetPart>, as: "MAP" | "LIST"): boolean {
  return children.length === 1 && part.annotation.toUpperCase().startsWith(as);
}
