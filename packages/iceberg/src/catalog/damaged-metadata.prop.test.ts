import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { IcebergError } from "../errors.ts";
import { COLUMNS } from "./conformance/test-catalog.fixture.ts";
import { openCatalog } from "./open.ts";

it("a metadata file whose bytes were changed or cut off is read, or is an error with a code that names it", async () => {
  await using catalog = openCatalog(`memory:${randomUUID()}`);
  await catalog.createNamespace("a");
  const { state, operations } = await catalog.createTable("a.t", {
    columns: COLUMNS,
    partitionBy: ["day"],
    sortBy: ["id"],
  });
  const { files } = operations;
  const plain = await files.read(state.metadataLocation);
  const changes = fc.record({
    isPacked: fc.boolean(),
    flips: fc.array(fc.record({ at: fc.nat(), to: fc.nat(255) }), { maxLength: 5 }),
    kept: fc.option(fc.nat(), { freq: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(changes, async ({ isPacked, flips, kept }) => {
      const whole = isPacked ? gzipSync(plain) : plain.slice();
      for (const { at, to } of flips) whole[at % whole.length] = to;
      const bytes = kept === null ? whole : whole.subarray(0, kept % whole.length);
      await files.delete([state.metadataLocation]);
      await files.write(state.metadataLocation, bytes);
      const error: unknown = await catalog.loadTable("a.t").then(
        () => undefined,
        (e: unknown) => e,
      );
      if (error === undefined) return;
      expect(error).toBeInstanceOf(IcebergError);
      expect((error as Error).message).toContain("v1.metadata.json");
    }),
    { numRuns: 1000 },
  );
});
