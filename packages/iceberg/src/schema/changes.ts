/** Changes of a schema, as pure functions ("Schema Evolution"): files that were written before stay readable by field ids. */
import { IcebergError } from "../errors.ts";
import type { Value } from "../values/value.ts";
import { canPromote } from "./promote.ts";
import { checkSchema, fieldByName, type FieldPlace, type Schema, withNewIds } from "./schema.ts";
import { typeText } from "./type-text.ts";
import { childFields, type Field, type Type, withChildFields } from "./type.ts";
import { unknownChange } from "./unknown-change.ts";

/** A schema while it is changed, and what the table says beside it. */
export interface SchemaDraft {
  readonly schema: Schema;
  /** The highest field id that the table ever had (`last-column-id`): new fields get those above. */
  readonly lastColumnId: number;
  readonly formatVersion: number;
}

/** One change. Columns are given by name, nested ones with dots: `address.city`. */
export type SchemaChange =
  | {
      readonly change: "add";
      readonly column: string;
      readonly type: Type;
      readonly required?: boolean;
      readonly doc?: string;
      /** What older rows hold; a required column needs one, which version 3 has. */
      readonly initialDefault?: Value;
    }
  | { readonly change: "drop"; readonly column: string }
  | { readonly change: "rename"; readonly column: string; readonly to: string }
  | { readonly change: "promote"; readonly column: string; readonly to: Type }
  | { readonly change: "make-optional"; readonly column: string }
  | { readonly change: "document"; readonly column: string; readonly doc: string | undefined }
  | {
      readonly change: "move";
      readonly column: string;
      /** First in its struct, or right after a sibling, which is given by its own name. */
      readonly to: "first" | { readonly after: string };
    }
  | { readonly change: "identify-by"; readonly columns: readonly string[] };

/**
 * The draft with changes, one after the other.
 *
 * @throws IcebergError `invalid-change`, with the column and the rule, if one isn't allowed.
 */
export function changeSchema(draft: SchemaDraft, changes: readonly SchemaChange[]): SchemaDraft {
  const changed = changes.reduce(changeOnce, draft);
  checkSchema(changed.schema);
  return changed;
}

function changeOnce(draft: SchemaDraft, change: SchemaChange): SchemaDraft {
  const { schema } = draft;
  switch (change.change) {
    case "add":
      return add(draft, change);
    case "drop": {
      const place = find(schema, change.column);
      const identifier = schema.identifierIds.find((id) => within(place.field).has(id));
      if (identifier !== undefined) throw refused(change.column, "dropped: it identifies rows");
      if (isFixedPart(place)) throw refused(change.column, "dropped: it is part of a list or map");
      return replaceSiblings(draft, place, (fields) => fields.filter((f) => f.id !== place.field.id));
    }
    case "rename": {
      const place = find(schema, change.column);
      if (isFixedPart(place)) throw refused(change.column, "renamed: it is part of a list or map");
      if (siblings(schema, place).some((f) => f.name === change.to && f.id !== place.field.id))
        throw refused(change.column, `renamed to ${change.to}: there is one of that name`);
      return replaceField(draft, place, { ...place.field, name: change.to });
    }
    case "promote": {
      const place = find(schema, change.column);
      const { type } = place.field;
      if (place.parents.some((p) => p.type.kind === "map") && place.field.name === "key" && isFixedPart(place))
        throw refused(change.column, "changed: keys of maps stay as they are");
      if (!canPromote(type, change.to, draft.formatVersion))
        throw refused(
          change.column,
          `changed from ${typeText(type)} to ${typeText(change.to)}: only int to long, float to double and a decimal to more digits are allowed${
            draft.formatVersion >= 3 ? ", and date to timestamp" : ""
          }`,
        );
      return replaceField(draft, place, { ...place.field, type: change.to });
    }
    case "make-optional": {
      const place = find(schema, change.column);
      if (schema.identifierIds.includes(place.field.id))
        throw refused(change.column, "made optional: it identifies rows");
      if (isFixedPart(place) && place.field.name === "key")
        throw refused(change.column, "made optional: keys of maps are required");
      return replaceField(draft, place, { ...place.field, required: false });
    }
    case "document": {
      const place = find(schema, change.column);
      const { doc: _, ...field } = place.field;
      return replaceField(draft, place, change.doc === undefined ? field : { ...field, doc: change.doc });
    }
    case "move":
      return move(draft, find(schema, change.column), change.to);
    case "identify-by":
      return {
        ...draft,
        schema: { ...schema, identifierIds: change.columns.map((column) => find(schema, column).field.id) },
      };
    default:
      throw unknownChange(change satisfies never, "columns");
  }
}

function add(draft: SchemaDraft, change: Extract<SchemaChange, { change: "add" }>): SchemaDraft {
  const { column, required = false, initialDefault } = change;
  if (initialDefault !== undefined && draft.formatVersion < 3)
    throw refused(column, `added with a default: that needs version 3, and the table has ${draft.formatVersion}`);
  if (required && initialDefault === undefined)
    throw refused(column, "added as required: older rows have no value for it; add it as optional");
  const dot = column.lastIndexOf(".");
  const parent = dot === -1 ? undefined : find(draft.schema, column.slice(0, dot));
  if (parent !== undefined && parent.field.type.kind !== "struct")
    throw refused(column, `added: ${parent.path.join(".")} is a ${parent.field.type.kind}, not a struct`);
  const name = column.slice(dot + 1);
  let lastColumnId = draft.lastColumnId;
  const field: Field = {
    id: ++lastColumnId,
    name,
    required,
    type: withNewIds(change.type, () => ++lastColumnId),
    ...(change.doc === undefined ? {} : { doc: change.doc }),
    ...(initialDefault === undefined ? {} : { initialDefault, writeDefault: initialDefault }),
  };
  const fields = parent === undefined ? draft.schema.fields : childFields(parent.field.type);
  if (fields.some((f) => f.name === name)) throw refused(column, "added: there is one of that name");
  const grown = { ...draft, lastColumnId };
  if (parent === undefined) return { ...grown, schema: { ...draft.schema, fields: [...fields, field] } };
  return replaceField(grown, parent, { ...parent.field, type: withChildFields(parent.field.type, [...fields, field]) });
}

function move(draft: SchemaDraft, place: FieldPlace, to: "first" | { readonly after: string }): SchemaDraft {
  const column = place.path.join(".");
  if (isFixedPart(place)) throw refused(column, "moved: it is part of a list or map");
  return replaceSiblings(draft, place, (fields) => {
    const others = fields.filter((f) => f.id !== place.field.id);
    const before = to === "first" ? 0 : others.findIndex((f) => f.name === to.after) + 1;
    if (to !== "first" && before === 0)
      throw refused(column, `moved after ${to.after}: there is no other field of that name beside it`);
    return others.toSpliced(before, 0, place.field);
  });
}

function find(schema: Schema, column: string): FieldPlace {
  const place = fieldByName(schema, column);
  if (place === undefined) throw new IcebergError("invalid-change", `there is no column ${column}`);
  return place;
}

function siblings(schema: Schema, { parents }: FieldPlace): readonly Field[] {
  const parent = parents.at(-1);
  return parent === undefined ? schema.fields : childFields(parent.type);
}

/** Whether a field is a list's element or a map's key or value. */
function isFixedPart({ parents }: FieldPlace): boolean {
  const parent = parents.at(-1);
  return parent !== undefined && parent.type.kind !== "struct";
}

/** The ids of a field and of all within it. */
function within(field: Field): ReadonlySet<number> {
  return new Set([field.id, ...childFields(field.type).flatMap((f) => [...within(f)])]);
}

function replaceField(draft: SchemaDraft, place: FieldPlace, field: Field): SchemaDraft {
  return replaceSiblings(draft, place, (fields) => fields.map((f) => (f.id === field.id ? field : f)));
}

/** The draft with other fields in the struct, list or map that a field is in. */
function replaceSiblings(
  draft: SchemaDraft,
  { parents }: FieldPlace,
  replace: (fields: readonly Field[]) => readonly Field[],
): SchemaDraft {
  const descend = (fields: readonly Field[], [parent, ...below]: readonly Field[]): readonly Field[] =>
    parent === undefined
      ? replace(fields)
      : fields.map((f) =>
          f.id === parent.id ? { ...f, type: withChildFields(f.type, descend(childFields(f.type), below)) } : f,
        );
  return { ...draft, schema: { ...draft.schema, fields: descend(draft.schema.fields, parents) } };
}

function refused(column: string, why: string): IcebergError {
  return new IcebergError("invalid-change", `column ${column} can't be ${why}`);
}
