/** The table properties that say how commits are made; defaults are the reference implementation's where nothing else is said. */
import { countProperty } from "../metadata/count-property.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";

export interface CommitSettings {
  /** How often a commit that met others is tried again: more often than twenty writers at once make each other need. */
  readonly retries: number;
  /** The longest wait before the first retry, unless an attempt takes longer; it doubles with each. */
  readonly waitMs: number;
  /** Undefined if the table says nothing of it. */
  readonly waitMsMax: number | undefined;
  /** After this no retry is begun. */
  readonly timeoutMs: number;
  /** Whether manifests are merged. */
  readonly isMerging: boolean;
  /** How many manifests, less than a target's worth, are merged. */
  readonly manifestsToMerge: number;
  readonly manifestSizeBytes: number;
  /** The URI of the folder of manifests and manifest lists. */
  readonly folder: string;
}

/** @throws IcebergError `invalid-metadata` on a property that is no number. */
export function commitSettings({ location, properties }: TableMetadata): CommitSettings {
  const count = (name: string, otherwise: number, least: 0 | 1) => countProperty(properties, name, otherwise, least);
  const maxWait = "commit.retry.max-wait-ms";
  return {
    retries: count("commit.retry.num-retries", 1000, 0),
    waitMs: count("commit.retry.min-wait-ms", 20, 0),
    waitMsMax: properties[maxWait] === undefined ? undefined : count(maxWait, 0, 0),
    timeoutMs: count("commit.retry.total-timeout-ms", 1_800_000, 0),
    isMerging: properties["commit.manifest-merge.enabled"]?.toLowerCase() !== "false",
    manifestsToMerge: count("commit.manifest.min-count-to-merge", 100, 1),
    manifestSizeBytes: count("commit.manifest.target-size-bytes", 8 * 1024 * 1024, 1),
    folder: (properties["write.metadata.path"] ?? `${location}/metadata`).replace(/\/+$/, ""),
  };
}
