/** A query's columns as those of a table. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckLiteral } from "../engine/duck-literal.ts";
import { quotedName } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import { type Field, isNested } from "../schema/type.ts";
import { castColumn, castPart, type CastSource } from "./column-cast.ts";

/**
 * A query that has the table's columns, in the table's order and types, for one that has columns of the same names. Columns that it lacks get their
 * write default, or null.
 *
 * @throws IcebergError `invalid-rows` if it has others, one twice, lacks a required one, or one has another type.
 */
export async function tableColumns(
  connection: DuckDBConnection,
  text: string,
  fields: readonly Field[],
): Promise<string> {
  const prepared = await connection.prepare(text);
  const names = Array.from({ length: prepared.columnCount }, (_, i) => prepared.columnName(i));
  const types = names.map((_, i) => prepared.columnType(i));
  prepared.destroySync();
  checkNames(names, fields);
  const expressions = fields.map((field) => {
    const i = names.indexOf(field.name);
    const sql =
      i === -1
        ? duckLiteral(field.type, field.writeDefault ?? null)
        : castSource({ sql: `source.c${i}`, from: types[i]! }, field);
    return `${sql} AS ${quotedName(field.name)}`;
  });
  return `SELECT ${expressions.join(", ")} FROM (${text}) AS source(${names.map((_, i) => `c${i}`).join(", ")})`;
}

function checkNames(names: readonly string[], fields: readonly Field[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new IcebergError("invalid-rows", `the query has two columns ${twice}: name them apart`);
  const excess = names.find((name) => !fields.some((f) => f.name === name));
  if (excess !== undefined)
    throw new IcebergError(
      "invalid-rows",
      `the query has a column ${excess}, which the table doesn't have: its columns are ${fields.map((f) => f.name).join(", ")}`,
    );
  const missing = fields.find((f) => f.required && f.writeDefault === undefined && !names.includes(f.name));
  if (missing !== undefined)
    throw new IcebergError("invalid-rows", `the query has no column ${missing.name}, which is required`);
}

/** Nulls in required columns of a primitive type are counted by the footers of what was written. */
function castSource(source: CastSource, field: Field): string {
  return isNested(field.type) ? castPart(source, field, field.name) : castColumn(source, field, field.name);
}
