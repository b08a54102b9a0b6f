/** Every type, in files of every writer. */
import path from "node:path";
import { it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS, asByPyIceberg } from "./all-types.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import { expectReadHere, type WrittenTable } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();
const parts = [ALL_TYPES_ROWS.slice(0, 4), ALL_TYPES_ROWS.slice(4)];

it("cells of all types that PyIceberg writes are read here, in versions 1 and 2", async () => {
  const requests = [1, 2].map((version) => ({ name: `v${version}`, version, schema: ALL_TYPES, appends: parts }));
  for (const { metadata } of python("write_rows.py", [folder], requests) as unknown as WrittenTable[])
    await expectReadHere({ metadata, rows: ALL_TYPES_ROWS.map(asByPyIceberg) });
});

it.skipIf(!isJavaReady())("cells of all types that Java writes are read here, in versions 1 to 3", async () => {
  const requests = [1, 2, 3].map((version) => ({
    folder: path.join(folder, `java-${version}`),
    version,
    schema: ALL_TYPES,
    steps: parts.map((append) => ({ append })),
  }));
  for (const { metadata } of java("write", requests) as unknown as WrittenTable[])
    await expectReadHere({ metadata, rows: ALL_TYPES_ROWS });
});
