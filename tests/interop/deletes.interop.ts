/** Rows that are deleted by files, positions, values and vectors. */
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import { expectReadHere, type WrittenTable } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();

it.each(Object.entries(python("write_deletes.py", [folder]) as unknown as Record<string, WrittenTable>))(
  "rows that delete files leave, by the specification, are left here: %s",
  async (_, table) => await expectReadHere(table),
);

const SCHEMA = {
  type: "struct",
  "schema-id": 0,
  fields: [
    { id: 1, name: "id", required: false, type: "int" },
    { id: 2, name: "town", required: false, type: "string" },
    { id: 3, name: "d", required: false, type: "double" },
  ],
};
const rows = Array.from({ length: 200 }, (_, id) => ({
  id: id % 50 === 49 ? null : id,
  town: id % 7 === 6 ? null : `t${id % 7}`,
  d: id % 5 === 4 ? "NaN" : id % 5 === 3 ? null : id / 4,
}));

const STEPS: Readonly<Record<string, readonly object[]>> = {
  "by position": [{ deleteByPosition: { op: "lt", column: "id", value: 60 } }],
  "by position, more than once": [
    { deleteByPosition: { op: "eq", column: "town", value: "t2" } },
    { append: rows.slice(0, 20) },
    { deleteByPosition: { op: "is-null", column: "id" } },
    { deleteByPosition: { op: "eq", column: "town", value: "t4" } },
  ],
  "by equality": [
    { deleteByEquality: { columns: ["id"], rows: [{ id: 7 }, { id: null }, { id: 1000 }] } },
    { append: rows.slice(0, 20) },
    {
      deleteByEquality: {
        columns: ["town", "id"],
        rows: [
          { town: "t3", id: 3 },
          { town: null, id: 6 },
        ],
      },
    },
  ],
  "by equality of doubles": [{ deleteByEquality: { columns: ["d"], rows: [{ d: "NaN" }, { d: 2.5 }, { d: null }] } }],
  "by all of these, after columns and partitions changed": [
    { addColumn: { name: "late", type: "long" } },
    { renameColumn: "town", to: "city" },
    { deleteByPosition: { op: "eq", column: "city", value: "t1" } },
    { deleteByEquality: { columns: ["late", "city"], rows: [{ late: null, city: "t0" }] } },
    { partitionBy: ["city", "identity"] },
    { append: rows.slice(0, 50).map(({ town, ...row }) => ({ ...row, city: town, late: "1" })) },
    { deleteByEquality: { columns: ["id"], rows: [{ id: 2 }, { id: 3 }], partitionOf: { city: "t2" } } },
    { deleteByPosition: { op: "in", column: "id", values: [4, 5, 6, 7, 8] } },
  ],
};
const PARTITIONS = [[], [["town", "identity"]], [["id", "bucket[4]"]]];

describe.skipIf(!isJavaReady())("by Java", () => {
  const cases = [2, 3].flatMap((version) =>
    Object.entries(STEPS).flatMap(([name, steps]) =>
      // equality deletes are for one partition: those of a table without partitions, for all rows
      (/equality|all/.test(name) ? PARTITIONS.slice(0, 1) : PARTITIONS).map((partitionBy) => ({
        name: `${name}, version ${version}, partitioned by ${JSON.stringify(partitionBy)}`,
        request: {
          version,
          schema: SCHEMA,
          partitionBy,
          steps: [{ append: rows }, ...steps] as readonly { append?: readonly unknown[] }[],
        },
      })),
    ),
  );
  let tables: WrittenTable[] = [];
  beforeAll(() => {
    const requests = cases.map(({ request }, i) => ({ ...request, folder: path.join(folder, String(i)) }));
    tables = java("write", requests) as unknown as WrittenTable[];
  });

  it.each(cases.map(({ name }, i) => [name, i] as const))("rows that are deleted %s", async (_, i) => {
    const appended = cases[i]!.request.steps.flatMap((step) => step.append ?? []);
    expect(tables[i]!.rows.length).toBeLessThan(appended.length);
    await expectReadHere(tables[i]!);
  });
});
