/** The partitions of a registered pipeline that are asked for. */
import type { DescribedPipeline } from "../../../core/described.ts";
import { OrcaError } from "../../../core/errors.ts";
import { partitionsOf } from "../../../core/keys-across.ts";
import { partitionsIn } from "../../../core/partition-list.ts";
import type { Database } from "../../../state/database.ts";
import { unknownKeys } from "../../../state/keys.ts";
import { keysInState } from "../../../state/pages/key-list.ts";
import { countKeyRanges } from "../../../state/pages/key-ranges.ts";
import type { KeyState } from "../../../state/pages/key-states.ts";

/** What a form asks for: a list of partitions, or all keys of a state. */
export interface KeysAsked {
  /** As a person lists them: `2024-01..2024-03`, names, or `@all`. */
  readonly list: string | undefined;
  readonly state: KeyState | undefined;
}

/** No more are taken at once. */
const KEYS_MAX = 1_000_000;

/**
 * Sorted, each once.
 *
 * @throws OrcaError `invalid-key` on what isn't a partition of the pipeline's, or on none.
 */
export async function keysAsked(
  database: Database,
  description: DescribedPipeline,
  { list, state }: KeysAsked,
): Promise<readonly string[]> {
  const { pipeline, partitions } = description;
  if (partitions.kind !== "keyed" || (list !== undefined && list !== "@all")) {
    const keys = partitionsIn(pipeline, partitionsOf(partitions), list ?? "");
    if (partitions.kind === "keyed") await checkKnown(database, description, keys);
    return keys;
  }
  const wanted = list === "@all" ? undefined : state;
  if (list !== "@all" && state === undefined)
    throw new OrcaError("invalid-key", "no partitions are given: write names with commas between them, or @all");
  while (await countKeyRanges(database, description.pipeline)); // so that all that are done with other code are found
  const keys = await keysInState(database, { description, state: wanted, begins: "" }, KEYS_MAX);
  if (keys.length === 0) throw new OrcaError("invalid-key", `no key of '${pipeline}' is in that state any more`);
  return keys;
}

/** Names that no run was asked for, and no program has said, are taken for mistyped ones. */
async function checkKnown(database: Database, { pipeline }: DescribedPipeline, keys: readonly string[]): Promise<void> {
  const unknown = await unknownKeys(database, pipeline, keys);
  if (unknown.length === 0) return;
  throw new OrcaError(
    "invalid-key",
    `'${unknown[0]}' isn't a key that is known of '${pipeline}': one that is new becomes known when the scheduler has asked for the keys, or by orca backfill`,
  );
}
