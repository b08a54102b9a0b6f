/** Table metadata from its JSON (Appendix C, "Table Metadata and Snapshots"). */
import { IcebergError } from "../errors.ts";
import { parseJson, type Json, type JsonObject } from "../json/json.ts";
import { asArray, asInteger, asLong, asMap, asObject, asString, at, optional, type Place } from "../json/read.ts";
import { PARTITION_ID_FIRST, specAt, specFieldsAt, specFieldsToJson } from "../partition/spec.ts";
import { sortOrderAt } from "../partition/sort-order.ts";
import { schemaAt, schemaToJson } from "../schema/schema.ts";
import { checkMetadata } from "./check.ts";
import { metadataLogEntryAt, refAt, snapshotAt, snapshotLogEntryAt, statisticsAt } from "./parse-snapshots.ts";
import { FORMAT_VERSIONS, type FormatVersion, MAIN, type SnapshotRef, type TableMetadata } from "./table-metadata.ts";

/**
 * The metadata of a table from the text of a metadata file.
 *
 * @throws IcebergError `invalid-metadata`, with the path to what is wrong; `unsupported`, with its name, for what this package doesn't know.
 */
export function parseMetadata(text: string): TableMetadata {
  return metadataFromJson(parseJson(text, "table metadata"));
}

/** The metadata of a table from JSON that `parseJson` has read, as catalogs send it. */
export function metadataFromJson(json: Json): TableMetadata {
  const place: Place = { json, path: "" };
  const version = formatVersionAt(at(place, "format-version"));
  const metadata: TableMetadata = {
    ...asObject(place),
    ...REPLACED,
    "format-version": version,
    "table-uuid": version === 1 ? optional(at(place, "table-uuid"), asString) : asString(at(place, "table-uuid")),
    location: asString(at(place, "location")),
    "last-sequence-number": version === 1 ? 0 : asInteger(at(place, "last-sequence-number")),
    "last-updated-ms": asInteger(at(place, "last-updated-ms")),
    "last-column-id": asInteger(at(place, "last-column-id")),
    ...schemasAt(place, version),
    ...specsAt(place, version),
    ...sortOrdersAt(place, version),
    properties: optional(at(place, "properties"), (properties) => asMap(properties, asString)) ?? {},
    ...snapshotsAt(place),
    statistics: optional(at(place, "statistics"), (files) => asArray(files, statisticsAt)) ?? [],
    "partition-statistics": optional(at(place, "partition-statistics"), (files) => asArray(files, statisticsAt)) ?? [],
    ...(version < 3 ? {} : { "next-row-id": asInteger(at(place, "next-row-id")) }),
  };
  return checkMetadata(metadata);
}

/** Version 1 repeats the current schema and spec in fields of their own, which writing makes again. */
const REPLACED = { schema: undefined, "partition-spec": undefined };

function formatVersionAt(place: Place): FormatVersion {
  const version = asInteger(place);
  const known = FORMAT_VERSIONS.find((v) => v === version);
  if (known !== undefined) return known;
  throw new IcebergError("unsupported", `the table has format version ${version}: versions 1 to 3 are known`);
}

type Part<Names extends keyof TableMetadata> = Pick<TableMetadata, Names>;

function schemasAt(place: Place, version: FormatVersion): Part<"schemas" | "current-schema-id"> {
  const schemas = optional(at(place, "schemas"), (list) => asArray(list, checkedSchema));
  const current = optional(at(place, "current-schema-id"), asInteger);
  if (version > 1 || (schemas !== undefined && current !== undefined))
    return {
      schemas: schemas ?? asArray(at(place, "schemas"), checkedSchema),
      "current-schema-id": current ?? asInteger(at(place, "current-schema-id")),
    };
  const schema = schemaAt(at(place, "schema"));
  return { schemas: [schemaToJson(schema) as JsonObject], "current-schema-id": schema.id };
}

function checkedSchema(place: Place): JsonObject {
  schemaAt(place);
  return asObject(place);
}

function specsAt(
  place: Place,
  version: FormatVersion,
): Part<"partition-specs" | "default-spec-id" | "last-partition-id"> {
  const numbered = (spec: Place) => {
    const { id, fields } = specAt(spec);
    return { ...asObject(spec), "spec-id": id, fields: specFieldsToJson(fields) };
  };
  const listed = optional(at(place, "partition-specs"), (specs) => asArray(specs, numbered));
  const id = optional(at(place, "default-spec-id"), asInteger);
  const specs =
    listed ??
    (version === 1
      ? [{ "spec-id": 0, fields: specFieldsToJson(specFieldsAt(at(place, "partition-spec"))) }]
      : asArray(at(place, "partition-specs"), numbered));
  const ids = specs.flatMap((spec) => (spec.fields as readonly JsonObject[]).map((f) => f["field-id"] as number));
  return {
    "partition-specs": specs,
    "default-spec-id": id ?? (version === 1 && listed === undefined ? 0 : asInteger(at(place, "default-spec-id"))),
    "last-partition-id":
      version === 1
        ? (optional(at(place, "last-partition-id"), asInteger) ?? Math.max(PARTITION_ID_FIRST - 1, ...ids))
        : asInteger(at(place, "last-partition-id")),
  };
}

function sortOrdersAt(place: Place, version: FormatVersion): Part<"sort-orders" | "default-sort-order-id"> {
  const checked = (order: Place) => {
    sortOrderAt(order);
    return asObject(order);
  };
  if (version === 1 && (asObject(place)["sort-orders"] ?? null) === null)
    return { "sort-orders": [{ "order-id": 0, fields: [] }], "default-sort-order-id": 0 };
  return {
    "sort-orders": asArray(at(place, "sort-orders"), checked),
    "default-sort-order-id": asInteger(at(place, "default-sort-order-id")),
  };
}

function snapshotsAt(
  place: Place,
): Part<"current-snapshot-id" | "snapshots" | "refs" | "snapshot-log" | "metadata-log"> {
  const id = optional(at(place, "current-snapshot-id"), asLong);
  const current = id === -1n ? undefined : id; // Java's "no snapshot" (Appendix F, "Assignment of Snapshot IDs")
  const refs = optional(at(place, "refs"), (map) => asMap(map, refAt)) ?? {};
  const main: SnapshotRef | undefined = current === undefined ? undefined : { "snapshot-id": current, type: "branch" };
  return {
    "current-snapshot-id": current,
    snapshots: optional(at(place, "snapshots"), (list) => asArray(list, snapshotAt)) ?? [],
    refs: main === undefined || MAIN in refs ? refs : { [MAIN]: main, ...refs },
    "snapshot-log": optional(at(place, "snapshot-log"), (log) => asArray(log, snapshotLogEntryAt)) ?? [],
    "metadata-log": optional(at(place, "metadata-log"), (log) => asArray(log, metadataLogEntryAt)) ?? [],
  };
}
