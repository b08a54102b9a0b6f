/** Columns of queries as columns of tables: values pass unchanged, or their rows are refused. */
import type { DuckDBType } from "@duckdb/node-api";
import { duckType, quotedName, quotedText } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import { childFields, type Field, type PrimitiveType, type Type } from "../schema/type.ts";
import { typeText } from "../schema/type-text.ts";

/** What begins the message of a query that met a row that doesn't fit. */
export const ROWS_FAULT = "rows don't fit the table: ";

const NUMBERS =
  /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL\(.*)$/;
const TIMES = /^(DATE|TIMESTAMP|TIMESTAMP_S|TIMESTAMP_MS|TIMESTAMP_NS)$/;

/** The types of DuckDB whose values, one by one, may be those of a type. */
const SOURCES: Readonly<Record<PrimitiveType["kind"], RegExp>> = {
  boolean: /^BOOLEAN$/,
  int: NUMBERS,
  long: NUMBERS,
  float: NUMBERS,
  double: NUMBERS,
  decimal: NUMBERS,
  date: TIMES,
  timestamp: TIMES,
  timestamp_ns: TIMES,
  time: /^TIME$/,
  timestamptz: /^(TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/,
  timestamptz_ns: /^(TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/,
  string: /^(VARCHAR|JSON|ENUM\(.*)$/s,
  uuid: /^UUID$/,
  fixed: /^BLOB$/,
  binary: /^BLOB$/,
};

/** Those all of whose values are of a type. */
const ALWAYS_FIT: { readonly [K in PrimitiveType["kind"]]?: RegExp } = {
  int: /^(TINYINT|SMALLINT|UTINYINT|USMALLINT)$/,
  long: /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER)$/,
  float: /^(TINYINT|SMALLINT|UTINYINT|USMALLINT)$/,
  double: /^(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER|FLOAT)$/,
  timestamp: /^(TIMESTAMP_S|TIMESTAMP_MS|DATE)$/,
  string: /^(JSON|ENUM\(.*)$/s,
};

/** An expression, and its type. */
export interface CastSource {
  readonly sql: string;
  readonly from: DuckDBType;
}

/**
 * An expression of the type that DuckDB has for a field's, for one of type `from`. Where single values may not fit, it ends the query with a message
 * that begins with `ROWS_FAULT`. Nulls in a required field within a struct, list or map end it, too; those of the field itself don't.
 *
 * @param path the column's name, with those of fields within it, for messages.
 * @throws IcebergError `invalid-rows` if values of `from` are none of the field's.
 */
export function castColumn({ sql, from }: CastSource, { type }: Field, path: string): string {
  if (passesUnchanged(from, type)) return sql;
  switch (type.kind) {
    case "struct": {
      if (!("entryNames" in from)) return otherwise(sql, from, type, path);
      const names = from.entryNames;
      const unknown = names.find((name) => !type.fields.some((f) => f.name === name));
      if (unknown !== undefined)
        throw new IcebergError("invalid-rows", `column ${path} has a field ${unknown}, which the table's doesn't have`);
      const parts = type.fields.map((field) => {
        const i = names.indexOf(field.name);
        const inner = i === -1 ? undefined : { sql: `(${sql})[${quotedText(field.name)}]`, from: from.entryTypes[i]! };
        return `${quotedName(field.name)} := ${castPart(inner, field, `${path}.${field.name}`)}`;
      });
      return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${parts.join(", ")}) END`;
    }
    case "list": {
      const element = "valueType" in from && !("keyType" in from) ? from.valueType : undefined;
      if (element === undefined) return otherwise(sql, from, type, path);
      const [field] = childFields(type) as [Field];
      const list = "length" in from ? `CAST(${sql} AS ${String(element)}[])` : sql;
      return `list_transform(${list}, lambda ${variable(path)}: ${castPart({ sql: variable(path), from: element }, field, `${path}.element`)})`;
    }
    case "map": {
      if (!("keyType" in from)) return otherwise(sql, from, type, path);
      const [key, value] = childFields(type) as [Field, Field];
      const entry = variable(path);
      const k = castPart({ sql: `${entry}.key`, from: from.keyType }, key, `${path}.key`);
      const v = castPart({ sql: `${entry}.value`, from: from.valueType }, value, `${path}.value`);
      return `map_from_entries(list_transform(map_entries(${sql}), lambda ${entry}: struct_pack(k := ${k}, v := ${v})))`;
    }
    default:
      return castPrimitive(sql, from, type, path);
  }
}

/** Whether values of a type of DuckDB are a column's as they are, whichever they are. */
function passesUnchanged(from: DuckDBType, type: Type): boolean {
  switch (type.kind) {
    case "struct":
      return (
        "entryNames" in from &&
        from.entryNames.length === type.fields.length &&
        type.fields.every(
          (f, i) => from.entryNames[i] === f.name && !f.required && passesUnchanged(from.entryTypes[i]!, f.type),
        )
      );
    case "list":
      return (
        "valueType" in from &&
        !("keyType" in from) &&
        !("length" in from) &&
        !type.elementRequired &&
        passesUnchanged(from.valueType, type.element)
      );
    case "map":
      return (
        "keyType" in from &&
        !type.valueRequired &&
        passesUnchanged(from.keyType, type.key) &&
        passesUnchanged(from.valueType, type.value)
      );
    case "fixed":
      return false;
    default:
      return String(from) === duckType(type);
  }
}

/** `castColumn` of a part of a struct, list or map, which is null where the query has none such. Nulls in a required one end the query. */
export function castPart(source: CastSource | undefined, field: Field, path: string): string {
  const type = duckType(field.type);
  if (source === undefined && field.required)
    throw new IcebergError("invalid-rows", `column ${path} is required, and the rows don't have it`);
  if (source === undefined) return `CAST(NULL AS ${type})`;
  const cast = castColumn(source, field, path);
  if (!field.required) return cast;
  return `CASE WHEN ${source.sql} IS NULL THEN CAST(error(${quotedText(`${ROWS_FAULT}column ${path} is null, but it is required`)}) AS ${type}) ELSE ${cast} END`;
}

function castPrimitive(sql: string, from: DuckDBType, type: PrimitiveType, path: string): string {
  const name = String(from);
  const to = duckType(type);
  if (!SOURCES[type.kind].test(name)) return otherwise(sql, from, type, path);
  if (type.kind === "fixed")
    return `CASE WHEN octet_length(${sql}) <> ${type.length} THEN ${fault(`octet_length(${sql})`, " bytes", type, path)} ELSE ${sql} END`;
  if (ALWAYS_FIT[type.kind]?.test(name) === true) return `CAST(${sql} AS ${to})`;
  return `CASE WHEN ${sql} IS NULL OR TRY_CAST(TRY_CAST(${sql} AS ${to}) AS ${name}) = ${sql} THEN TRY_CAST(${sql} AS ${to}) ELSE ${fault(sql, "", type, path)} END`;
}

/** A column without a value has type INTEGER in DuckDB (`SELECT NULL`, `[]`), and fits any; for others there is no way. */
function otherwise(sql: string, from: DuckDBType, type: Type, path: string): string {
  if (!/^INTEGER(\[\])*$/.test(String(from)))
    throw new IcebergError(
      "invalid-rows",
      `column ${path} is ${String(from)} in the query, and no ${typeText(type)}, which the table has: cast it`,
    );
  const values = String(from) === "INTEGER" ? sql : `nullif(${sql}, [])`;
  return `CASE WHEN ${values} IS NOT NULL THEN ${fault(sql, "", type, path)} END`;
}

function fault(shown: string, unit: string, type: Type, path: string): string {
  const [before, after] = [`${ROWS_FAULT}column ${path} has `, `${unit}, which isn't of type ${typeText(type)}`];
  return `CAST(error(${quotedText(before)} || CAST(${shown} AS VARCHAR) || ${quotedText(after)}) AS ${duckType(type)})`;
}

/** The variable of a list's elements: lists within lists have others. */
function variable(path: string): string {
  return `v${path.split(".").length}`;
}
