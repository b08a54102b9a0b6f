/** The tree of a Parquet file's schema, which its footer has in one list: each part is followed by those within it. */
import { IcebergError } from "../errors.ts";
import { leafLayout, type LayoutField, nestedLayout, type SchemaPart } from "./layout-field.ts";

interface Node extends SchemaPart {
  readonly children: readonly Node[];
}

/** The columns of a schema whose root is the first part. */
export function columnsOfSchema(parts: readonly SchemaPart[]): readonly LayoutField[] {
  let next = 0;
  const node = (): Node => {
    const part = parts[next++];
    if (part === undefined) throw new IcebergError("invalid-file", "a Parquet file's schema ends within a group");
    return { ...part, children: Array.from({ length: part.childCount }, node) };
  };
  return node().children.map(fieldOf);
}

/** A field by the rules for nested types, also those for files of before them ("Logical Types" of Parquet). */
function fieldOf(node: Node): LayoutField {
  const [only] = node.children;
  if (isAnnotated(node, "MAP") && only?.isRepeated && only.children.length === 2) {
    const [key, value] = only.children.map(fieldOf) as [LayoutField, LayoutField];
    return nestedLayout(node, "map", [
      { ...key, name: "key" },
      { ...value, name: "value" },
    ]);
  }
  if (isAnnotated(node, "LIST") && only?.isRepeated) {
    const isElement =
      only.children.length !== 1 || only.name === "array" || only.name === `${node.name}_tuple` || isNestedGroup(only);
    const element = isElement ? { ...only, isRepeated: false } : only.children[0]!;
    return nestedLayout(node, "list", [{ ...fieldOf(element), name: "element" }]);
  }
  if (node.isRepeated) {
    const element = fieldOf({ ...node, isRepeated: false });
    return nestedLayout(node, "list", [{ ...element, id: undefined, name: "element" }]);
  }
  if (node.children.length === 0) return leafLayout(node);
  return nestedLayout(node, "struct", node.children.map(fieldOf));
}

function isAnnotated({ annotation, children }: Node, as: "MAP" | "LIST"): boolean {
  return children.length === 1 && annotation.toUpperCase().startsWith(as);
}

/** Whether a repeated group is itself a list or map: then it is the element. */
function isNestedGroup(node: Node): boolean {
  return isAnnotated(node, "LIST") || isAnnotated(node, "MAP");
}
