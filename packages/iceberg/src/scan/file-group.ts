/** Files with the same columns, as one table of DuckDB's. */
import { quotedName, quotedPath, quotedText } from "../engine/duck-type.ts";
import { duckLiteral } from "../engine/duck-literal.ts";
import { IcebergError } from "../errors.ts";
import type { NameMapping } from "../schema/name-mapping.ts";
import { type FieldSource, projectFields } from "../schema/projection.ts";
import type { FieldPlace } from "../schema/schema.ts";
import type { Field } from "../schema/type.ts";
import type { StructValue, Value } from "../values/value.ts";
import { columnSql } from "./column-sql.ts";
import type { FileLayout } from "./file-layout.ts";
import type { LayoutField } from "./layout-field.ts";
import { readableColumns } from "./readable.ts";

/** Columns that DuckDB adds to those of files, unless they have such. */
const ADDED: ReadonlySet<string> = new Set(["filename", "file_row_number", "file_index"]);

/** The index of a row's file among the group's. */
export const FILE_INDEX = "d.file_index";
/** Where a row is in its file, from 0. */
export const ROW_POSITION = "d.file_row_number";

export interface GroupOptions {
  readonly layout: FileLayout;
  readonly paths: readonly string[];
  /** One of the files, for messages. */
  readonly uri: string;
  readonly mapping: NameMapping;
  /** What the partition of each file gives for columns that the files lack, by field id. */
  readonly partitions?: readonly ReadonlyMap<number, Value | null>[] | undefined;
}

export class FileGroup {
  readonly #options: GroupOptions;
  /** Whether columns are given other names: DuckDB takes `a` and `A` for the same, and has columns of its own. */
  readonly #isRenamed: boolean;

  constructor(options: GroupOptions) {
    const { layout, uri } = options;
    this.#options = options;
    const names = new Set(layout.map((column) => column.name.toLowerCase()));
    this.#isRenamed = names.size < layout.length || [...names].some((name) => ADDED.has(name));
    if (this.#isRenamed && layout.some((column) => column.id === undefined))
      throw new IcebergError(
        "unsupported",
        `data file ${uri} has no field ids, and columns that differ only in case or are called as DuckDB's own are`,
      );
  }

  /** What stands after `FROM`: the table is called `d`. */
  get from(): string {
    const { layout, paths } = this.#options;
    const columns = layout.map(
      (column) =>
        `${column.id}: {'name': ${quotedText(this.#nameOf(column))}, 'type': ${quotedText(column.duckType)}, 'default_value': NULL}`,
    );
    const schema = this.#isRenamed ? `, schema = MAP {${columns.join(", ")}}` : "";
    return `read_parquet([${paths.map(quotedPath).join(", ")}], hive_partitioning = false, union_by_name = false${schema}) AS d`;
  }

  /** An expression for a column of the table. */
  column(field: Field): string {
    const source = this.#sourceOf(field);
    if (source.from === "constant") return this.#constant(field);
    const inFile = this.#inFile(source);
    return columnSql(source, this.#input(inFile), inFile);
  }

  /** An expression for a field within structs. */
  leaf({ field, parents }: FieldPlace): string {
    if (parents.length === 0) return this.column(field);
    const top = parents[0]!;
    const below = [...parents.slice(1), field];
    const source = this.#sourceOf(top);
    if (source.from === "constant") return duckLiteral(field.type, valueWithin(source.value, below));
    const inFile = this.#inFile(source);
    return leafSql(source, this.#input(inFile), inFile, below);
  }

  /** One value for each file, where they aren't all the same. */
  static perFile(values: readonly string[]): string {
    return values.every((value) => value === values[0])
      ? values[0]!
      : `list_extract([${values.join(", ")}], CAST(${FILE_INDEX} AS BIGINT) + 1)`;
  }

  #sourceOf(field: Field): FieldSource {
    const { layout, mapping, partitions, uri } = this.#options;
    const columns = readableColumns(layout, [field], mapping);
    const partition = partitions?.[0];
    try {
      return projectFields([field], columns, { mapping, ...(partition && { partition }) })[0]!;
    } catch (cause) {
      if (!(cause instanceof IcebergError)) throw cause;
      throw new IcebergError("invalid-file", `${uri} doesn't fit the table: ${cause.message}`, { cause });
    }
  }

  #constant(field: Field): string {
    const { partitions = [] } = this.#options;
    const given = partitions.map((partition) => partition.get(field.id) ?? field.initialDefault ?? null);
    const values = given.length === 0 ? [field.initialDefault ?? null] : given;
    return FileGroup.perFile(values.map((value) => duckLiteral(field.type, value)));
  }

  #inFile(source: FieldSource & { readonly from: "file" }): LayoutField {
    return this.#options.layout.find((column) => column.name === source.path[0])!;
  }

  #input(column: LayoutField): string {
    return `d.${quotedName(this.#nameOf(column))}`;
  }

  #nameOf(column: LayoutField): string {
    return this.#isRenamed ? `f${column.id}` : column.name;
  }
}

function leafSql(source: FieldSource, input: string, inFile: LayoutField, below: readonly Field[]): string {
  const [next, ...rest] = below;
  if (next === undefined) return columnSql(source, input, inFile);
  const part = source.from === "file" ? source.parts.find((p) => p.field.id === next.id) : undefined;
  if (part?.from === "file") {
    const inside = inFile.fields.find((f) => f.name === part.path.at(-1))!;
    return leafSql(part, `${input}.${quotedName(inside.name)}`, inside, rest);
  }
  const { type } = below.at(-1)!;
  const value = duckLiteral(type, valueWithin(part?.value ?? null, rest));
  return `CASE WHEN ${input} IS NULL THEN NULL ELSE ${value} END`;
}

/** A struct's value at a path. */
function valueWithin(value: Value | null, path: readonly Field[]): Value | null {
  return path.reduce<Value | null>((v, field) => (v as StructValue | null)?.[field.name] ?? null, value);
}
