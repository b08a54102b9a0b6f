/** Tables as this package reads them, in the canonical form. */
import { type Field, type JsonObject, openTable, type ScanOptions, type Schema } from "@orcajs/iceberg";
import { expect } from "vitest";
import { canonicalRow, sorted } from "./canonical.ts";

/** What another implementation says of a table that it wrote. */
export interface WrittenTable {
  /** The URI of the metadata file. */
  readonly metadata: string;
  readonly rows: readonly JsonObject[];
  readonly snapshots?: readonly { readonly id: string; readonly rows: readonly JsonObject[] }[];
}

/** The rows that a scan gives here. */
export async function readHere(
  metadata: string,
  options: ScanOptions = {},
): Promise<{ readonly schema: Schema; readonly rows: readonly JsonObject[] }> {
  await using table = await openTable(metadata);
  const scan = table.scan(options);
  const rows: JsonObject[] = [];
  for await (const row of scan.rows()) rows.push(canonicalRow(scan.schema.fields, row));
  return { schema: scan.schema, rows };
}

/** Fails unless the rows are the same, in whatever order. @param about which rows, for the message. */
export function expectRows(
  fields: readonly Field[],
  rows: readonly JsonObject[],
  expected: readonly JsonObject[],
  about?: string,
): void {
  expect(sorted(fields, rows), about).toEqual(sorted(fields, expected));
}

/** Fails unless the rows here, of the table and of each of its snapshots, are what the writer reads of them. */
export async function expectReadHere({ metadata, rows, snapshots = [] }: WrittenTable): Promise<void> {
  const here = await readHere(metadata);
  expectRows(here.schema.fields, here.rows, rows);
  for (const { id, rows } of snapshots) {
    const then = await readHere(metadata, { snapshot: { id: BigInt(id) } });
    expectRows(then.schema.fields, then.rows, rows);
  }
}
