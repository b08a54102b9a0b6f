/** The fields of manifests and manifest lists: their ids and names in the specification, and the names that this package has for them. */
import type { AvroField, AvroSchema, KeyOf } from "../avro/schema.ts";

interface FieldName {
  readonly name: string;
  readonly key: string;
}

/** By field id ("Manifests", "Manifest Lists"): whoever wrote a file, its fields are found by id. */
const FIELDS: Readonly<Record<number, FieldName>> = {
  0: { name: "status", key: "status" },
  1: { name: "snapshot_id", key: "snapshotId" },
  2: { name: "data_file", key: "file" },
  3: { name: "sequence_number", key: "sequenceNumber" },
  4: { name: "file_sequence_number", key: "fileSequenceNumber" },
  100: { name: "file_path", key: "path" },
  101: { name: "file_format", key: "format" },
  102: { name: "partition", key: "partition" },
  103: { name: "record_count", key: "recordCount" },
  104: { name: "file_size_in_bytes", key: "sizeBytes" },
  105: { name: "block_size_in_bytes", key: "blockSizeBytes" },
  108: { name: "column_sizes", key: "columnSizes" },
  109: { name: "value_counts", key: "valueCounts" },
  110: { name: "null_value_counts", key: "nullCounts" },
  125: { name: "lower_bounds", key: "lowerBounds" },
  128: { name: "upper_bounds", key: "upperBounds" },
  131: { name: "key_metadata", key: "keyMetadata" },
  132: { name: "split_offsets", key: "splitOffsets" },
  134: { name: "content", key: "content" },
  135: { name: "equality_ids", key: "equalityIds" },
  137: { name: "nan_value_counts", key: "nanCounts" },
  140: { name: "sort_order_id", key: "sortOrderId" },
  142: { name: "first_row_id", key: "firstRowId" },
  143: { name: "referenced_data_file", key: "referencedDataFile" },
  144: { name: "content_offset", key: "contentOffset" },
  145: { name: "content_size_in_bytes", key: "contentSizeBytes" },
  500: { name: "manifest_path", key: "path" },
  501: { name: "manifest_length", key: "length" },
  502: { name: "partition_spec_id", key: "specId" },
  503: { name: "added_snapshot_id", key: "addedSnapshotId" },
  504: { name: "added_files_count", key: "addedFiles" },
  505: { name: "existing_files_count", key: "existingFiles" },
  506: { name: "deleted_files_count", key: "deletedFiles" },
  507: { name: "partitions", key: "partitions" },
  509: { name: "contains_null", key: "containsNull" },
  510: { name: "lower_bound", key: "lower" },
  511: { name: "upper_bound", key: "upper" },
  512: { name: "added_rows_count", key: "addedRows" },
  513: { name: "existing_rows_count", key: "existingRows" },
  514: { name: "deleted_rows_count", key: "deletedRows" },
  515: { name: "sequence_number", key: "sequenceNumber" },
  516: { name: "min_sequence_number", key: "minSequenceNumber" },
  517: { name: "content", key: "content" },
  518: { name: "contains_nan", key: "containsNaN" },
  519: { name: "key_metadata", key: "keyMetadata" },
  520: { name: "first_row_id", key: "firstRowId" },
};

/** What a field is called in JavaScript; those of a partition by their ids: `1000`. Fields that this package doesn't know are skipped. */
export const keyOf: KeyOf = (field) => {
  const id = field["field-id"];
  if (id === undefined) return undefined;
  return FIELDS[id]?.key ?? (id >= 1000 ? String(id) : undefined);
};

/** A required field of a record. */
export function required(id: number, type: AvroSchema): AvroField {
  return { name: FIELDS[id]!.name, type, "field-id": id };
}

/** A field of a record that may be null. */
export function optional(id: number, type: AvroSchema): AvroField {
  return { name: FIELDS[id]!.name, type: ["null", type], default: null, "field-id": id };
}

/** A list: an array whose items have an id. */
export function listOf(elementId: number, items: AvroSchema): AvroSchema {
  return { type: "array", items, "element-id": elementId };
}

/** A map from field ids: an array of pairs, since Avro's own maps have texts for keys (Appendix A, "Avro"). */
export function mapOf(keyId: number, valueId: number, value: AvroSchema): AvroSchema {
  return {
    type: "array",
    items: {
      type: "record",
      name: `k${keyId}_v${valueId}`,
      fields: [
        { name: "key", type: "int", "field-id": keyId },
        { name: "value", type: value, "field-id": valueId },
      ],
    },
    logicalType: "map",
  };
}
