import { afterAll, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { type Predicate, eq, ge, gt, isIn, le, lt, ne, not, notIn } from "../predicate/predicate.ts";
import { nullable } from "../schema/columns.ts";
import { rowsTable } from "../rows/rows-table.fixture.ts";

const engine = new Engine({ threads: 1 });
afterAll(() => engine[Symbol.asyncDispose]());

/** Its files aren't written by DuckDB, and have bounds that leave NaN out. */
const columns = { id: "int", d: "double?", f: "float?", place: nullable({ lat: "double" }) } as const;

it.each<[string, Predicate, readonly number[]]>([
  ["eq", eq("d", Number.NaN), [1]],
  ["gt", gt("d", 100), [1]],
  ["ge", ge("f", Number.NaN), [1]],
  ["ne", ne("d", 2), [1]],
  ["in", isIn("d", [7, Number.NaN]), [1]],
  ["not in", notIn("f", [2]), [1]],
  ["lt", lt("d", Number.NaN), [2]],
  ["le", le("d", Number.NaN), [1, 2]],
  ["lt 100", lt("d", 100), [2]],
  ["eq 2", eq("d", 2), [2]],
  ["in 2", isIn("f", [2]), [2]],
  ["not", not(eq("d", Number.NaN)), [2]],
])("NaN is found by %s where bounds leave it out, and deleted by it", async (_name, where, ids) => {
  const { table } = await rowsTable({ columns }, engine);
  const row = (id: number, n: number) => ({ id, d: n, f: n, place: null });
  await table.append([row(2, 2), row(1, Number.NaN)]);
  const idsOf = async (filter?: Predicate) =>
    (await table.scan<{ id: number }>({ where: filter }).toArray()).map(({ id }) => id).toSorted((a, b) => a - b);
  expect(await idsOf(where)).toEqual(ids);
  await table.delete(where);
  expect(await idsOf()).toEqual([1, 2].filter((id) => !ids.includes(id)));
});
