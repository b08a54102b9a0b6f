/** Changes of table metadata in the form of the REST catalog specification ("TableUpdate"): what a catalog is sent, and what is applied here. */
import type { JsonObject } from "../json/json.ts";
import type { FormatVersion, Snapshot, SnapshotRef, StatisticsFile } from "./table-metadata.ts";

export type TableUpdate =
  | { readonly action: "assign-uuid"; readonly uuid: string }
  /** Only upwards. */
  | { readonly action: "upgrade-format-version"; readonly "format-version": FormatVersion }
  /** A schema's JSON. Its id is the table's to give; one like it is used again. */
  | { readonly action: "add-schema"; readonly schema: JsonObject; readonly "last-column-id"?: number }
  /** -1 is the schema that was added last. */
  | { readonly action: "set-current-schema"; readonly "schema-id": number }
  | { readonly action: "add-spec"; readonly spec: JsonObject }
  /** -1 is the spec that was added last. */
  | { readonly action: "set-default-spec"; readonly "spec-id": number }
  | { readonly action: "add-sort-order"; readonly "sort-order": JsonObject }
  /** -1 is the sort order that was added last. */
  | { readonly action: "set-default-sort-order"; readonly "sort-order-id": number }
  | { readonly action: "add-snapshot"; readonly snapshot: Snapshot }
  | ({ readonly action: "set-snapshot-ref"; readonly "ref-name": string } & SnapshotRef)
  | { readonly action: "remove-snapshots"; readonly "snapshot-ids": readonly bigint[] }
  | { readonly action: "remove-snapshot-ref"; readonly "ref-name": string }
  | { readonly action: "set-location"; readonly location: string }
  | { readonly action: "set-properties"; readonly updates: Readonly<Record<string, string>> }
  | { readonly action: "remove-properties"; readonly removals: readonly string[] }
  | { readonly action: "set-statistics"; readonly statistics: StatisticsFile }
  | { readonly action: "remove-statistics"; readonly "snapshot-id": bigint }
  | { readonly action: "set-partition-statistics"; readonly "partition-statistics": StatisticsFile }
  | { readonly action: "remove-partition-statistics"; readonly "snapshot-id": bigint }
  | { readonly action: "remove-partition-specs"; readonly "spec-ids": readonly number[] }
  | { readonly action: "remove-schemas"; readonly "schema-ids": readonly number[] };
