/** What must agree between the parts of table metadata ("Table Metadata"). */
import { IcebergError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import { MAIN, type TableMetadata } from "./table-metadata.ts";

/**
 * The metadata, if its parts agree.
 *
 * @throws IcebergError `invalid-metadata`
 */
export function checkMetadata(metadata: TableMetadata): TableMetadata {
  requireListed(metadata, "schemas", "schema-id", "current-schema-id");
  requireListed(metadata, "partition-specs", "spec-id", "default-spec-id");
  requireListed(metadata, "sort-orders", "order-id", "default-sort-order-id");
  const ids = new Set<bigint>();
  for (const { "snapshot-id": id, "sequence-number": sequenceNumber } of metadata.snapshots) {
    if (ids.has(id)) throw invalid(`there are two snapshots ${id}`);
    if (sequenceNumber > metadata["last-sequence-number"])
      throw invalid(`snapshot ${id} has sequence number ${sequenceNumber}, above the table's last`);
    ids.add(id);
  }
  for (const [name, ref] of Object.entries(metadata.refs))
    if (!ids.has(ref["snapshot-id"]))
      throw invalid(`${ref.type} ${name} is of snapshot ${ref["snapshot-id"]}, which isn't there`);
  const [current, main] = [metadata["current-snapshot-id"], metadata.refs[MAIN]?.["snapshot-id"]];
  if (current !== main)
    throw invalid(`current-snapshot-id is ${current ?? "none"}, but the branch ${MAIN} is of ${main ?? "none"}`);
  return metadata;
}

function requireListed(
  metadata: TableMetadata,
  list: "schemas" | "partition-specs" | "sort-orders",
  idName: string,
  currentName: "current-schema-id" | "default-spec-id" | "default-sort-order-id",
): void {
  const ids = metadata[list].map((item: JsonObject) => item[idName] ?? 0);
  if (new Set(ids).size < ids.length) throw invalid(`${list} has two of one ${idName}`);
  if (!ids.includes(metadata[currentName]))
    throw invalid(`${currentName} is ${metadata[currentName]}, which isn't in ${list}`);
}

function invalid(why: string): IcebergError {
  return new IcebergError("invalid-metadata", `the table's metadata contradicts itself: ${why}`);
}
