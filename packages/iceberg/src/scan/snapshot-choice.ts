/** Which snapshot of a table is read, and with which schema ("Point in Time Reads"). */
import { inspect } from "node:util";
import { IcebergError } from "../errors.ts";
import {
  MAIN,
  schemaOf,
  snapshotById,
  snapshotIdAt,
  snapshotOfRef,
  type Snapshot,
  type TableMetadata,
} from "../metadata/table-metadata.ts";
import type { Schema } from "../schema/schema.ts";

/** A snapshot by its id, as it was current at a time, or of a branch or tag. */
export type SnapshotChoice = { readonly id: bigint } | { readonly at: Date } | { readonly ref: string };

/** What is read: undefined for a table that has no snapshot yet. */
export interface ChosenSnapshot {
  readonly snapshot: Snapshot | undefined;
  /** A branch is read with the table's current schema; a tag, an id and a time with the snapshot's own. */
  readonly schema: Schema;
}

/**
 * The snapshot of a choice; by default that of `main`.
 * @throws IcebergError `snapshot-missing`, which names it.
 */
export function chosenSnapshot(metadata: TableMetadata, choice?: SnapshotChoice): ChosenSnapshot {
  if (choice === undefined) return { snapshot: snapshotOfRef(metadata), schema: schemaOf(metadata) };
  checkChoice(choice);
  if ("ref" in choice) {
    const { ref } = choice;
    const snapshot = snapshotOfRef(metadata, ref);
    if (snapshot === undefined && ref !== MAIN)
      throw new IcebergError(
        "snapshot-missing",
        `the table has no branch or tag ${ref}: there are ${Object.keys(metadata.refs).join(", ") || "none"}`,
      );
    const isTag = Object.hasOwn(metadata.refs, ref) && metadata.refs[ref]!.type === "tag";
    return { snapshot, schema: isTag ? schemaOfSnapshot(metadata, snapshot) : schemaOf(metadata) };
  }
  const snapshot = "id" in choice ? foundSnapshot(metadata, choice.id) : snapshotAt(metadata, choice.at);
  return { snapshot, schema: schemaOfSnapshot(metadata, snapshot) };
}

/**
 * Passes if a snapshot is chosen by one of the ways there are.
 * @throws IcebergError `snapshot-missing`
 */
export function checkChoice(choice: unknown, ways: readonly string[] = ["id", "at", "ref"]): void {
  if (typeof choice === "object" && choice !== null && ways.some((way) => way in choice)) return;
  const written = ways.map((way) => EXAMPLES[way]).join(" or ");
  throw new IcebergError("snapshot-missing", `a snapshot is chosen by ${written}, and this is ${inspect(choice)}`);
}
const EXAMPLES: Readonly<Record<string, string>> = {
  id: "{ id: 123n }",
  at: '{ at: new Date("2024-05-01") }',
  ref: '{ ref: "main" }',
};

/** @throws IcebergError `snapshot-missing` if there is none of the id, or no more. */
export function foundSnapshot(metadata: TableMetadata, id: bigint): Snapshot {
  const snapshot = snapshotById(metadata, id);
  if (snapshot !== undefined) return snapshot;
  const wasThere = metadata["snapshot-log"].some((entry) => entry["snapshot-id"] === id);
  throw new IcebergError(
    "snapshot-missing",
    wasThere ? `snapshot ${id} was expired: its rows can't be read any more` : `the table has no snapshot ${id}`,
  );
}

function snapshotAt(metadata: TableMetadata, at: Date): Snapshot {
  if (!(at instanceof Date) || Number.isNaN(at.getTime()))
    throw new IcebergError("snapshot-missing", "the time to read the table at isn't a valid Date");
  const id = snapshotIdAt(metadata, at.getTime());
  if (id !== undefined) return foundSnapshot(metadata, id);
  throw new IcebergError("snapshot-missing", `the table had no snapshot at ${at.toISOString()}, or it isn't known now`);
}

/** The schema that was current when the snapshot was made; that of now if it doesn't say, as in version 1. */
function schemaOfSnapshot(metadata: TableMetadata, snapshot: Snapshot | undefined): Schema {
  const id = snapshot?.["schema-id"];
  const isThere = metadata.schemas.some((s) => (s["schema-id"] ?? 0) === id);
  return schemaOf(metadata, isThere ? id : undefined);
}
