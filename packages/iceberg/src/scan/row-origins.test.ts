import { afterAll, describe, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { ALWAYS, eq } from "../predicate/predicate.ts";
import { rowsTable } from "../rows/rows-table.fixture.ts";
import type { Table } from "../table.ts";
import { rowOrigins } from "./row-origins.ts";

const engine = new Engine();
afterAll(() => engine[Symbol.asyncDispose]());

const idOf = (snapshot: { readonly "snapshot-id": bigint }) => snapshot["snapshot-id"];
const newTable = async () => (await rowsTable({ columns: { day: "int", n: "int" } }, engine)).table;
const on = (...days: readonly number[]) => days.map((day) => ({ day, n: day }));

/** The certain ones and the others. */
async function originsOf(table: Table, snapshot: bigint) {
  const { origins, expired } = await rowOrigins(table, snapshot);
  const those = (isCertain: boolean) =>
    new Set(origins.filter((one) => one.isCertain === isCertain).map((one) => one.snapshot));
  return { certain: those(true), maybe: those(false), expired };
}

describe("the rows of a snapshot", () => {
  it("are of each that appended some, and not of those whose files were replaced whole", async () => {
    const table = await newTable();
    const [first, second, third] = [
      idOf(await table.append(on(1))),
      idOf(await table.append(on(2))),
      idOf(await table.append(on(3, 3))),
    ];
    expect(await rowOrigins(table, second)).toEqual({
      origins: [
        { snapshot: second, files: 1, rows: 1, isCertain: true },
        { snapshot: first, files: 1, rows: 1, isCertain: true },
      ],
      expired: [],
    });
    const again = idOf(await table.overwrite(on(2), { where: eq("day", 2) }));
    expect(await originsOf(table, again)).toEqual({
      certain: new Set([first, third, again]),
      maybe: new Set(),
      expired: [],
    });
    // as it was
    expect((await originsOf(table, third)).certain).toEqual(new Set([first, second, third]));
    const all = idOf(await table.overwrite(on(9), { where: ALWAYS }));
    expect(await originsOf(table, all)).toEqual({ certain: new Set([all]), maybe: new Set(), expired: [] });
  });

  it("may be of those whose files were rewritten, and of those that had rewritten theirs", async () => {
    const table = await newTable();
    const both = idOf(await table.append(on(1, 2)));
    const other = idOf(await table.append(on(3)));
    const once = idOf(await table.overwrite(on(1), { where: eq("day", 1) }));
    expect(await originsOf(table, once)).toEqual({
      certain: new Set([other, once]),
      maybe: new Set([both]),
      expired: [],
    });
    await table.maintenance.rewriteFiles({ minInputFiles: 2 });
    const compacted = idOf(table.scan().snapshot!);
    expect(compacted).not.toBe(once);
    const { certain, maybe } = await originsOf(table, compacted);
    expect(certain).toEqual(new Set([compacted]));
    expect(maybe).toEqual(new Set([both, other, once]));
  });

  it("are of ones that have expired too, which may have rewritten others'", async () => {
    const table = await newTable();
    const gone = idOf(await table.append(on(1)));
    const last = idOf(await table.append(on(2)));
    await table.maintenance.expireSnapshots({ snapshotIds: [gone] });
    expect(await originsOf(table, last)).toEqual({ certain: new Set([gone, last]), maybe: new Set(), expired: [gone] });
    await expect(rowOrigins(table, gone)).rejects.toMatchObject({ code: "snapshot-missing" });
  });
});
