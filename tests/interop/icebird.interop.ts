/** Every type, in files that were written here, by another reader in JavaScript. */
import { openCatalog, parseSchema } from "@orcajs/iceberg";
import { it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS } from "./all-types.ts";
import { rowOf } from "./canonical.ts";
import { asByIcebird, readByIcebird } from "./icebird.ts";
import { expectRows } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();
const fields = parseSchema(ALL_TYPES).fields.filter(
  (f) => /^\w+$/.test(f.name) && !["fix", "structs"].includes(f.name),
);

it.each([1, 2] as const)(
  "cells of all types that are written here are read by icebird, in version %i",
  async (formatVersion) => {
    await using catalog = openCatalog(folder);
    if (!(await catalog.listNamespaces()).includes("lake")) await catalog.createNamespace("lake");
    const table = await catalog.createTable(`lake.v${formatVersion}`, { fields, formatVersion });
    for (const part of [ALL_TYPES_ROWS.slice(0, 4), ALL_TYPES_ROWS.slice(4)])
      await table.append(part.map((row) => rowOf(fields, row)));
    const rows = await readByIcebird(table.state.metadataLocation);
    expectRows(
      fields,
      rows,
      ALL_TYPES_ROWS.map((row) => asByIcebird(fields, row)),
    );
  },
);
