/** Tables whose columns and partitions were changed here between appends: one column a change. */
import { type Catalog, type JsonObject, nullable, type SchemaChangeNotation, type Table } from "@orcajs/iceberg";
import { rowOf } from "./canonical.ts";

/** A table that was made here, and the rows that it has now. */
export interface TableHere {
  readonly table: Table;
  readonly rows: readonly JsonObject[];
}

/** Appends rows in the canonical form. */
export async function append(table: Table, rows: readonly JsonObject[]): Promise<void> {
  await table.append(rows.map((row) => rowOf(table.schema.fields, row)));
}

/** Promoted, renamed, moved, dropped, dropped and added anew with another type, made optional. */
export async function changedColumns(catalog: Catalog, formatVersion: 1 | 2): Promise<TableHere> {
  const table = await catalog.createTable(`lake.columns_${formatVersion}`, {
    formatVersion,
    columns: {
      id: "int",
      i: "int?",
      f: "float?",
      dec: "decimal(9, 2)?",
      old_name: "string?",
      dropped: "string?",
      again: "int?",
      day: "date?",
    },
  });
  const first = { i: 2_147_483_647, f: 1.5, dec: "1234567.89", old_name: "a", dropped: "d", again: 7, day: -1 };
  await append(table, [
    { id: 1, ...first },
    { id: 2, ...nullsOf(first) },
  ]);
  await table.changeSchema([
    { change: "promote", column: "i", to: "long" },
    { change: "promote", column: "f", to: "double" },
    { change: "promote", column: "dec", to: "decimal(18, 2)" },
    { change: "rename", column: "old_name", to: "new_name" },
    { change: "drop", column: "dropped" },
    { change: "drop", column: "again" },
    { change: "make-optional", column: "id" },
    { change: "add", column: "at", type: "timestamptz?" },
  ]);
  await table.changeSchema([
    { change: "add", column: "again", type: "string?" },
    { change: "move", column: "again", to: "first" },
    { change: "move", column: "id", to: { after: "dec" } },
    { change: "rename", column: "day", to: "old_name" },
  ]);
  const second = {
    again: "x",
    i: "-9223372036854775808",
    f: 0.1,
    dec: "-1234567890123456.78",
    new_name: "b",
    old_name: 1,
    at: "1",
  };
  const added = [
    { id: 3, ...second },
    { id: null, ...nullsOf(second) },
  ];
  await append(table, added);
  const { i, old_name, day, dec, f } = first;
  const promoted = { i: String(i), f, dec, new_name: old_name, old_name: day, again: null, at: null };
  return { table, rows: [{ id: 1, ...promoted }, { id: 2, ...nullsOf(promoted) }, ...added] };
}

/** The same in structs, in lists and in maps. */
export async function changedFields(catalog: Catalog): Promise<TableHere> {
  const point = nullable({ x: "int?", y: "float?", gone: "string?" });
  const table = await catalog.createTable("lake.fields", {
    columns: {
      id: "int?",
      point,
      points: nullable([point]),
      places: nullable({ "[string]": point }),
      ints: nullable(["int?"]),
      deep: nullable({ points: nullable([nullable({ point })]) }),
    },
  });
  const old = { x: 1, y: 2.5, gone: "g" };
  const none = nullsOf(old);
  await append(table, [
    {
      id: 1,
      point: old,
      points: [old, null, none],
      places: [
        ["a", old],
        ["b", null],
      ],
      ints: [1, null],
      deep: { points: [{ point: old }, { point: null }, null] },
    },
    { id: 2, point: null, points: [], places: [], ints: null, deep: null },
  ]);
  await table.changeSchema(
    ["point", "points.element", "places.value", "deep.points.element.point"].flatMap(
      (place): readonly SchemaChangeNotation[] => [
        { change: "promote", column: `${place}.x`, to: "long" },
        { change: "promote", column: `${place}.y`, to: "double" },
        { change: "drop", column: `${place}.gone` },
        { change: "rename", column: `${place}.x`, to: "east" },
        { change: "add", column: `${place}.z`, type: "string?" },
        { change: "add", column: `${place}.gone`, type: "int?" },
        { change: "move", column: `${place}.y`, to: "first" },
      ],
    ),
  );
  await table.changeSchema([
    { change: "promote", column: "ints.element", to: "long" },
    { change: "rename", column: "deep", to: "depth" },
    { change: "rename", column: "depth.points", to: "all" },
  ]);
  const point2 = { y: 0.1, east: "9007199254740993", z: "d", gone: 5 };
  const added = [
    {
      id: 3,
      point: point2,
      points: [point2, { ...point2, z: null }],
      places: [["c", point2]],
      ints: ["9007199254740993"],
      depth: { all: [{ point: point2 }] },
    },
    { id: 4, point: nullsOf(point2), points: [], places: [], ints: [], depth: { all: [] } },
  ];
  await append(table, added);
  const now = { y: 2.5, east: "1", z: null, gone: null };
  const before = [
    {
      id: 1,
      point: now,
      points: [now, null, nullsOf(now)],
      places: [
        ["a", now],
        ["b", null],
      ],
      ints: ["1", null],
      depth: { all: [{ point: now }, { point: null }, null] },
    },
    { id: 2, point: null, points: [], places: [], ints: null, depth: null },
  ];
  return { table, rows: [...before, ...added] };
}

/** Partitions added, removed, put back, renamed; of a column that is promoted and renamed meanwhile. */
export async function changedPartitions(catalog: Catalog, formatVersion: 1 | 2): Promise<TableHere> {
  const table = await catalog.createTable(`lake.partitions_${formatVersion}`, {
    formatVersion,
    columns: { id: "int?", town: "string?", at: "timestamptz?", place: { n: "int?" } },
    partitionBy: ["town"],
  });
  const all: { id: number; town: string | null; at: string | null; place: JsonObject }[] = [];
  const grow = async () => {
    const from = all.length;
    const rows = Array.from({ length: 8 }, (_, i) => ({
      id: from + i,
      town: i % 4 === 3 ? null : `t/${i % 4} é`,
      at: i % 5 === 4 ? null : String(BigInt(from + i - 20) * 86_400_000_000n * 17n - 1n),
      place: { n: i % 3 === 2 ? null : i * 7 - 20 },
    }));
    const isLong = table.schema.fields[0]!.type.kind === "long";
    await append(
      table,
      rows.map(({ id, ...row }) => ({ ...row, id: isLong ? String(id) : id, city: row.town })),
    );
    all.push(...rows);
  };
  await grow();
  await table.changeSpec([
    { change: "add", column: "id", transform: "bucket[4]" },
    { change: "add", column: "place.n", transform: "truncate[10]" },
  ]);
  await grow();
  await table.changeSpec([{ change: "remove", name: "town" }]);
  await grow();
  await table.changeSchema([{ change: "promote", column: "id", to: "long" }]);
  await table.changeSpec([{ change: "add", column: "at", transform: "month" }]);
  await grow();
  await table.changeSpec([
    { change: "remove", name: "id_bucket_4" },
    { change: "add", column: "at", transform: "day", name: "on" },
  ]);
  await table.changeSchema([{ change: "rename", column: "town", to: "city" }]);
  await grow();
  await table.changeSpec([
    { change: "rename", name: "on", to: "at_the" },
    { change: "add", column: "city", name: "city" },
  ]);
  await grow();
  const rows = all.map(({ id, town, at, place }) => ({ id: String(id), city: town, at, place }));
  return { table, rows };
}

function nullsOf(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(row).map((name) => [name, null]));
}
