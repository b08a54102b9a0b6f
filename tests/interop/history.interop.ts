/** Snapshots, branches and tags. */
import type { JsonObject } from "@orcajs/iceberg";
import { expect, it } from "vitest";
import { python } from "./python.ts";
import { expectReadHere, expectRows, readHere, type WrittenTable } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();

it("each snapshot, branch and tag that PyIceberg made is read here as there", async () => {
  const table = python("write_history.py", [folder]) as unknown as WrittenTable & {
    refs: Record<string, JsonObject[]>;
  };
  await expectReadHere(table);
  expect(Object.keys(table.refs).sort()).toEqual(["audit", "first", "main"]);
  for (const [ref, rows] of Object.entries(table.refs)) {
    const here = await readHere(table.metadata, { snapshot: { ref } });
    expectRows(here.schema.fields, here.rows, rows);
  }
});
