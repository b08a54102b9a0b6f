import { expect, it } from "vitest";
import { eq, gt } from "../predicate/predicate.ts";
import type { Field } from "../schema/type.ts";
import { TestTable } from "./table.fixture.ts";

const fields: readonly Field[] = [
  { id: 1, name: "id", required: true, type: { kind: "long" } },
  { id: 2, name: "name", required: false, type: { kind: "string" } },
  { id: 3, name: "rain", required: false, type: { kind: "double" } },
];

it("gives the rows of all files, those that a filter selects, and some columns", async () => {
  await using table = await TestTable.make({ fields });
  await table.commit([
    await table.file({
      rows: [
        { id: 1n, name: "a", rain: 1.5 },
        { id: 2n, name: null, rain: null },
      ],
    }),
    await table.file({ rows: [{ id: 3n, name: "c", rain: 3 }] }),
  ]);
  expect(await table.scan().toArray()).toEqual([
    { id: 1n, name: "a", rain: 1.5 },
    { id: 2n, name: null, rain: null },
    { id: 3n, name: "c", rain: 3 },
  ]);
  expect(await table.scan().where(gt("rain", 1.5)).columns("name", "id").toArray()).toEqual([{ name: "c", id: 3n }]);
  expect(await table.scan({ where: gt("rain", 1.5) }).files()).toHaveLength(1);
  expect(await table.scan().where(eq("name", "'; --")).toArray()).toEqual([]);
});
