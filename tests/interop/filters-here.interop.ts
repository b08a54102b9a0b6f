/** Filters over files that were written here: what others pass over by their bounds and counts has no rows that are selected. */
import {
  bind,
  type Field,
  type Json,
  type JsonObject,
  matches,
  openCatalog,
  parseSchema,
  type Predicate,
  type Table,
} from "@orcajs/iceberg";
import { beforeAll, describe, expect, it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS } from "./all-types.ts";
import { rowOf } from "./canonical.ts";
import { filterJson, filtersOf, idsInOrder } from "./filters.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import { warehouse } from "./warehouse.ts";

const catalog = openCatalog(warehouse());
const fields = parseSchema(ALL_TYPES).fields.filter((f) => !["fix", "structs"].includes(f.name));
const rows = ALL_TYPES_ROWS;

interface FilterOf {
  /** With the names of structs before it. */
  readonly column: string;
  readonly where: Predicate;
  /** The ids of the rows that are selected here, and those that others see otherwise. */
  readonly ids: readonly number[];
  readonly isNaN: ReadonlySet<number>;
  readonly isZero: ReadonlySet<number>;
}

const schema = { id: 0, fields, identifierIds: [] };
const FILTERS = [...fields, ...nestedFields(fields)].flatMap(filtersOfField);

const METRICS = ["full", "truncate(1)", "counts"];
const PROGRAMS: Readonly<Record<string, (requests: unknown) => unknown>> = {
  PyIceberg: (requests) => python("read.py", [], requests),
  ...(isJavaReady() && { Java: (requests: unknown) => java("read", requests) }),
};

/** Which rows are in which file of a table. */
interface FiledTable {
  readonly metadata: string;
  readonly idsOf: ReadonlyMap<string, readonly number[]>;
}

/** Each row in a file of its own. */
async function tableOfSmallFiles(metrics: string): Promise<FiledTable> {
  const table = await catalog.createTable(`lake.files_${METRICS.indexOf(metrics)}`, {
    fields,
    properties: { "write.metadata.metrics.default": metrics },
    partitionBy: ["id"],
  });
  await append(table, rows);
  const files = await table.scan().files();
  const idsOf = new Map(files.map(({ file: { file } }) => [file.path, [file.partition[0] as number]]));
  expect(idsOf.size).toBe(rows.length);
  return { metadata: table.state.metadataLocation, idsOf };
}

/** Rows in the way in which they were appended. */
async function tableOfAppends(): Promise<FiledTable> {
  const table = await catalog.createTable("lake.rows", { fields });
  const idsOf = new Map<string, readonly number[]>();
  for (const part of [rows.slice(0, 3), rows.slice(3, 5), rows.slice(5)]) {
    await append(table, part);
    const added = (await table.scan().files()).map(({ file: { file } }) => file.path).filter((p) => !idsOf.has(p));
    expect(added).toHaveLength(1);
    idsOf.set(added[0]!, idsInOrder(part));
  }
  return { metadata: table.state.metadataLocation, idsOf };
}

const tables: FiledTable[] = [];
beforeAll(async () => {
  await catalog.createNamespace("lake");
  for (const metrics of METRICS) tables.push(await tableOfSmallFiles(metrics));
  tables.push(await tableOfAppends());
  return async () => await catalog[Symbol.asyncDispose]();
});

describe.each(Object.entries(PROGRAMS))("%s", (name, ask) => {
  it("passes over no file that has rows of a filter, whatever bounds are kept", () => {
    const filters = FILTERS.filter(({ column, where: { op } }) => !NOT_ORDERED[name]?.(column, op));
    const asked = tables.flatMap((table) => filters.map((filter) => ({ ...table, filter })));
    const requests = asked.map(({ metadata, filter }) => ({ metadata, where: filterJson(filter.where), files: true }));
    const planned = ask(requests) as string[][];
    const passedOver = new Map<string, number>();
    for (const [i, { metadata, idsOf, filter }] of asked.entries()) {
      const { where, ids, isNaN } = filter;
      const found = new Set(planned[i]!.flatMap((path) => idsOf.get(path)!));
      const lost = ids.filter((id) => !found.has(id) && !isNaN.has(id));
      expect({ where, lost }).toEqual({ where, lost: [] });
      passedOver.set(metadata, (passedOver.get(metadata) ?? 0) + rows.length - found.size);
    }
    // less is passed over by shorter bounds, and by counts alone only nulls
    const [full, cut, counts] = tables.map(({ metadata }) => passedOver.get(metadata)!);
    expect(full).toBeGreaterThan(cut!);
    expect(cut).toBeGreaterThan(counts!);
    expect(counts).toBeGreaterThan(0);
  });

  it("selects the rows of a filter", () => {
    const { metadata } = tables.at(-1)!;
    const filters = FILTERS.filter(({ column }) => !NOT_COMPARED[name]!.test(column));
    const requests = filters.map(({ where }) => ({ metadata, where: filterJson(where), columns: ["id"] }));
    const answers = ask(requests) as JsonObject[][];
    for (const [i, { where, ids, isNaN, isZero }] of filters.entries()) {
      const isSame = (id: number) => !isNaN.has(id) && !(name === "Java" && isZero.has(id));
      const found = idsInOrder(answers[i]!).filter(isSame);
      expect({ where, found }).toEqual({ where, found: ids.filter(isSame) });
    }
  });
});

/** Java orders UUIDs as signed numbers. */
const NOT_ORDERED: Readonly<Record<string, (column: string, op: Predicate["op"]) => boolean>> = {
  Java: (column, op) => /(^|\.)u$/.test(column) && ["lt", "le", "gt", "ge"].includes(op),
};
/** Columns whose values a reader doesn't compare: PyIceberg none in structs, Arrow no UUIDs, and Java's generic reader finds none that are equal. */
const NOT_COMPARED: Readonly<Record<string, RegExp>> = { PyIceberg: /^u$|\./, Java: /(^|\.)u$/ };

async function append(table: Table, part: readonly JsonObject[]): Promise<void> {
  await table.append(part.map((row) => rowOf(fields, row)));
}

/** The fields of structs, those in structs too, with the names that filters have for them. */
function nestedFields(parents: readonly Field[]): readonly Field[] {
  return parents.flatMap(({ name, type }) => {
    if (type.kind !== "struct") return [];
    const named = type.fields.filter((f) => !f.name.includes(".")).map((f) => ({ ...f, name: `${name}.${f.name}` }));
    return [...named, ...nestedFields(named)];
  });
}

/**
 * NaN is above all numbers here; in Arrow it compares with none, and Java passes over files of it. 0 and -0 are equal here, as in SQL; in Java one is
 * less than the other.
 */
function filtersOfField(field: Field): readonly FilterOf[] {
  const cells = rows.map((row) => ({ id: row["id"] as number, cell: cellOf(row, field.name) }));
  const idsOf = (test: (cell: Json) => boolean) => new Set(cells.filter(({ cell }) => test(cell)).map(({ id }) => id));
  const isNumber = field.type.kind === "float" || field.type.kind === "double";
  const isNaN = idsOf((cell) => isNumber && cell === "NaN");
  const isZero = idsOf((cell) => isNumber && (cell === 0 || cell === "-0"));
  const ofField = cells.map(({ cell }) => ({ [field.name]: cell }));
  return filtersOf([field], ofField).map((where) => {
    const bound = bind(where, schema);
    const selected = rows.filter((row) => matches(bound, rowOf(fields, row)));
    return { column: field.name, where, ids: idsInOrder(selected), isNaN, isZero };
  });
}

function cellOf(row: JsonObject, path: string): Json {
  return path.split(".").reduce<Json>((json, name) => (json === null ? null : (json as JsonObject)[name]!), row);
}
