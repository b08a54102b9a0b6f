/** `@orcajs/iceberg/history`: which snapshot follows on which, without what reads and writes tables, and without the rest of their metadata. */
import type { Abortable, ObjectStoreOptions } from "@orcajs/objectstore";
import { currentFile } from "./catalog/current-file.ts";
import { metadataTextOf, orNothing } from "./catalog/metadata-file.ts";
import { warehouseOf } from "./catalog/warehouse.ts";
import { IcebergError } from "./errors.ts";
import { TableFiles } from "./files/table-files.ts";

/**
 * Which snapshot each of a table's follows on, by the newest metadata file of its folder, or by a given one.
 *
 * @throws IcebergError `table-missing`; `invalid-metadata` if the file has no snapshots to be read; `unsupported` on what is no location.
 */
export async function snapshotParents(
  location: string,
  { s3, signal }: ObjectStoreOptions & Abortable = {},
): Promise<ReadonlyMap<bigint, bigint | undefined>> {
  const { uri, options } = warehouseOf(location, { s3 });
  await using files = new TableFiles(options);
  const file = /\.metadata\.json(\.gz)?$/.test(uri) ? uri : await currentFile(files, uri, { signal });
  const bytes = file === undefined ? undefined : await orNothing(files.read(file, { signal }));
  if (bytes === undefined) throw new IcebergError("table-missing", `there is no table in ${uri}, or not any more`);
  try {
    return parentsIn(await metadataTextOf(bytes));
  } catch (cause) {
    throw new IcebergError("invalid-metadata", `${file}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Snapshots' numbers, where they are values of fields. They have more digits than `JSON.parse` keeps, and are read as texts: an eighth of the time that all
 * of the metadata takes, which has a thousand snapshots and more. No text of JSON has such a field in it: its quotes have backslashes.
 */
const NUMBERS = /("(?:parent-)?snapshot-id"\s*:\s*)(-?\d+)/g;

function parentsIn(text: string): ReadonlyMap<bigint, bigint | undefined> {
  const { snapshots } = JSON.parse(text.replace(NUMBERS, '$1"$2"')) as {
    readonly snapshots?: readonly Readonly<Record<"snapshot-id" | "parent-snapshot-id", string | null>>[] | null;
  };
  return new Map(
    (snapshots ?? []).map(({ "snapshot-id": id, "parent-snapshot-id": parent }) => [
      BigInt(id!),
      (parent ?? null) === null ? undefined : BigInt(parent!),
    ]),
  );
}
