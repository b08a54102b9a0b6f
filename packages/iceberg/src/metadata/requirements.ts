/** What a commit requires of the table, in the form of the REST catalog specification ("TableRequirement"). */
import { IcebergError } from "../errors.ts";
import type { TableMetadata } from "./table-metadata.ts";

export type TableRequirement =
  | { readonly type: "assert-create" }
  | { readonly type: "assert-table-uuid"; readonly uuid: string }
  /** Null: there is no such branch or tag. */
  | { readonly type: "assert-ref-snapshot-id"; readonly ref: string; readonly "snapshot-id": bigint | null }
  | { readonly type: "assert-last-assigned-field-id"; readonly "last-assigned-field-id": number }
  | { readonly type: "assert-current-schema-id"; readonly "current-schema-id": number }
  | { readonly type: "assert-last-assigned-partition-id"; readonly "last-assigned-partition-id": number }
  | { readonly type: "assert-default-spec-id"; readonly "default-spec-id": number }
  | { readonly type: "assert-default-sort-order-id"; readonly "default-sort-order-id": number };

/** That it is the table that it was. */
export function sameTable({ "table-uuid": uuid }: TableMetadata): readonly TableRequirement[] {
  return uuid === undefined ? [] : [{ type: "assert-table-uuid", uuid }];
}

/**
 * Passes if all requirements hold of a table, or of there being none.
 *
 * @throws IcebergError `commit-conflict`, with what is and what was required.
 */
export function checkRequirements(
  metadata: TableMetadata | undefined,
  requirements: readonly TableRequirement[],
): void {
  for (const requirement of requirements) {
    if (requirement.type === "assert-create") {
      if (metadata !== undefined) throw conflict("there is a table already");
      continue;
    }
    if (metadata === undefined) throw conflict("there is no table any more");
    const [what, is, required] = compared(metadata, requirement);
    if (is !== required) throw conflict(`${what} is ${is ?? "none"}, and ${required ?? "none"} was required`);
  }
}

type Compared = string | number | bigint | null | undefined;

function compared(
  table: TableMetadata,
  requirement: Exclude<TableRequirement, { readonly type: "assert-create" }>,
): readonly [what: string, is: Compared, required: Compared] {
  switch (requirement.type) {
    case "assert-table-uuid":
      return ["the table's UUID", table["table-uuid"], requirement.uuid];
    case "assert-ref-snapshot-id": {
      const { ref, "snapshot-id": id } = requirement;
      return [`the snapshot of ${ref}`, Object.hasOwn(table.refs, ref) ? table.refs[ref]!["snapshot-id"] : null, id];
    }
    case "assert-last-assigned-field-id":
      return ["the last column's id", table["last-column-id"], requirement["last-assigned-field-id"]];
    case "assert-current-schema-id":
      return ["the current schema's id", table["current-schema-id"], requirement["current-schema-id"]];
    case "assert-last-assigned-partition-id":
      return ["the last partition field's id", table["last-partition-id"], requirement["last-assigned-partition-id"]];
    case "assert-default-spec-id":
      return ["the default partition spec's id", table["default-spec-id"], requirement["default-spec-id"]];
    case "assert-default-sort-order-id":
      return ["the default sort order's id", table["default-sort-order-id"], requirement["default-sort-order-id"]];
    default:
      return requirement satisfies never;
  }
}

function conflict(why: string): IcebergError {
  return new IcebergError("commit-conflict", `the table was changed meanwhile: ${why}`);
}
