/** Schemas and partition specs that changed between appends, of every writer. */
import { describe, it } from "vitest";
import { python } from "./python.ts";
import { expectReadHere, type WrittenTable } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();

describe("by PyIceberg", () => {
  it.each(Object.entries(python("write_evolution.py", [folder]) as unknown as Record<string, WrittenTable>))(
    "rows of a table whose schema changed are read here as there, at each snapshot: %s",
    async (_, table) => await expectReadHere(table),
  );

  it.each(Object.entries(python("write_partitions.py", [folder]) as unknown as Record<string, WrittenTable>))(
    "rows of a table whose partitions changed are read here as there, at each snapshot: %s",
    async (_, table) => await expectReadHere(table),
  );
});
