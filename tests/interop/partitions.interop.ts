/** Partitions by every transform of every type, by every writer. */
import path from "node:path";
import { bind, type JsonObject, matches, openTable, parseSchema } from "@orcajs/iceberg";
import { expect, it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS, asByPyIceberg } from "./all-types.ts";
import { rowOf } from "./canonical.ts";
import { filtersOf, idsInOrder } from "./filters.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import { expectReadHere, type WrittenTable } from "./tables-here.ts";
import { type PartitionedColumn, transformsOf } from "./transforms.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();
const schema = parseSchema(ALL_TYPES);
/** Without the least int and long too: truncated they are less than there are, and other writers have them as the greatest then. */
const rows = ALL_TYPES_ROWS.filter((row) => row["d"] !== "NaN").map((row) =>
  row["id"] === 3 ? { ...row, i: -2_147_483_646, l: "-9223372036854775806" } : row,
);
/** What PyIceberg 0.12 can't write. */
const NOT_BY_PYICEBERG = ["at bucket[16]", "bin truncate[3]"];
/** What Java writes a manifest of that nobody can read: the bytes of a fixed value are the length and the bytes. */
const NOT_BY_JAVA = ["fix identity"];

it("rows that PyIceberg partitions are read and filtered here, by each transform of each type", async () => {
  const possible = transformsBut(NOT_BY_PYICEBERG);
  const requests = possible.map((by, i) => ({ ...requestOf(by), name: `t${i}`, appends: [rows] }));
  const tables = python("write_rows.py", [folder], requests) as unknown as WrittenTable[];
  for (const [i, { metadata }] of tables.entries())
    await expectPartitions(possible[i]!, metadata, rows.map(asByPyIceberg));
});

it.skipIf(!isJavaReady())(
  "rows that Java partitions are read and filtered here, by each transform of each type",
  async () => {
    const steps = [{ append: rows }];
    const possible = transformsBut(NOT_BY_JAVA);
    const requests = possible.map((by, i) => ({ ...requestOf(by), folder: path.join(folder, `java-${i}`), steps }));
    const tables = java("write", requests) as unknown as WrittenTable[];
    for (const [i, { metadata }] of tables.entries()) await expectPartitions(possible[i]!, metadata, rows);
  },
);

function transformsBut(left: readonly string[]): readonly PartitionedColumn[] {
  return transformsOf(schema.fields).filter(({ column, transform }) => !left.includes(`${column.name} ${transform}`));
}

function requestOf({ column, transform }: PartitionedColumn) {
  return { version: 2, schema: ALL_TYPES, partitionBy: [[column.name, transform]] };
}

/** That the rows are there, and that filters of the partitions' column select what they select row by row. */
async function expectPartitions(by: PartitionedColumn, metadata: string, rows: readonly JsonObject[]): Promise<void> {
  const { column, transform } = by;
  await expectReadHere({ metadata, rows });
  await using table = await openTable(metadata);
  expect(table.spec.fields).toHaveLength(1);
  for (const where of filtersOf([column], rows)) {
    const scan = table.scan({ where, columns: ["id"] });
    const bound = bind(where, schema);
    const expected = rows.filter((row) => matches(bound, rowOf(schema.fields, row)));
    expect({ transform, where, ids: idsInOrder(await scan.toArray()) }).toEqual({
      transform,
      where,
      ids: idsInOrder(expected),
    });
  }
}
