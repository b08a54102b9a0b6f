/** Tables that were changed here, as other implementations read them: now, of each branch and tag, and at each snapshot. */
import { type JsonObject, openCatalog } from "@orcajs/iceberg";
import { beforeAll, describe, expect, it } from "vitest";
import { maintained, withHistory } from "./changed-tables.ts";
import { changedColumns, changedFields, changedPartitions, type TableHere } from "./evolved-tables.ts";
import { expectAsHere, READERS, type ReadRequest, requestsOf } from "./readers.ts";
import { expectRows, readHere } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const catalog = openCatalog(warehouse());
const MADE = {
  "whose columns changed, in version 1": () => changedColumns(catalog, 1),
  "whose columns changed": () => changedColumns(catalog, 2),
  "whose nested fields changed": () => changedFields(catalog),
  "whose partitions changed, in version 1": () => changedPartitions(catalog, 1),
  "whose partitions changed": () => changedPartitions(catalog, 2),
  "whose rows were deleted and overwritten, in version 1": () => withHistory(catalog, 1),
  "whose rows were deleted and overwritten": () => withHistory(catalog, 2),
  "that was tidied, in version 1": () => maintained(catalog, 1),
  "that was tidied": () => maintained(catalog, 2),
};

/** Renamed fields of structs, and manifests of version 1 that have files from before. */
const NOT_BY_ICEBIRD = /fields|(deleted|tidied).*version 1/;

const tables = new Map<string, TableHere>();
beforeAll(async () => {
  await catalog.createNamespace("lake");
  for (const [name, make] of Object.entries(MADE)) tables.set(name, await make());
  return async () => await catalog[Symbol.asyncDispose]();
});

it.each(Object.keys(MADE))("a table %s has the rows here that were put there", async (name) => {
  const { table, rows } = tables.get(name)!;
  expectRows(table.schema.fields, (await readHere(table.state.metadataLocation)).rows, rows);
});

describe.each(Object.entries(READERS))("%s reads as is read here", (name, reader) => {
  const known = Object.keys(MADE).filter((made) => name !== "icebird" || !NOT_BY_ICEBIRD.test(made));
  let answers: readonly {
    readonly name: string;
    readonly request: ReadRequest;
    readonly rows: readonly JsonObject[];
  }[];
  beforeAll(async () => {
    const asked = known.flatMap((name) => requestsOf(tables.get(name)!.table).map((request) => ({ name, request })));
    const rows = await reader.read(asked.map(({ request }) => request));
    answers = asked.map((what, i) => ({ ...what, rows: rows[i]! }));
  });

  it.each(known)("a table %s", async (name) => {
    const ofTable = answers.filter((answer) => answer.name === name);
    expect(ofTable.length).toBeGreaterThan(2);
    for (const { request, rows } of ofTable) await expectAsHere(reader, request, rows);
  });
});
