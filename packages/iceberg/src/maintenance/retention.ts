/** Which snapshots, branches and tags are past their time ("Snapshot Retention Policy"). */
import { countProperty } from "../metadata/count-property.ts";
import { refused } from "../metadata/refused.ts";
import { MAIN, type Snapshot, snapshotById, type TableMetadata } from "../metadata/table-metadata.ts";
import { ancestorsOf } from "../refs/ancestors.ts";
import { foundSnapshot } from "../scan/snapshot-choice.ts";

const DAY_MS = 86_400_000;

export interface RetentionPolicy {
  /** Snapshots from before it expire, but for those that a branch or tag keeps. Default: `history.expire.max-snapshot-age-ms` ago, or 5 days. */
  readonly olderThan?: Date | undefined;
  /** How many snapshots each branch keeps at least. Default: `history.expire.min-snapshots-to-keep`, or 1. */
  readonly keepLast?: number | undefined;
  /** Snapshots that expire, whatever their age. If they alone are given, no others do. */
  readonly snapshotIds?: readonly bigint[] | undefined;
}

export interface Expired {
  readonly snapshots: readonly Snapshot[];
  /** Branches and tags. */
  readonly refs: readonly string[];
}

/** @throws IcebergError `invalid-change` if a snapshot of `snapshotIds` is a branch's or tag's; `snapshot-missing` if there is none such. */
export function expiredOf(metadata: TableMetadata, policy: RetentionPolicy, nowMs: number): Expired {
  const { snapshotIds = [] } = policy;
  const isByAge = snapshotIds.length === 0 || policy.olderThan !== undefined || policy.keepLast !== undefined;
  const refs = isByAge ? expiredRefs(metadata, nowMs) : [];
  const heads = new Map(
    Object.entries(metadata.refs)
      .filter(([name]) => !refs.includes(name))
      .map(([name, ref]) => [ref["snapshot-id"], name]),
  );
  const given = new Set(snapshotIds);
  for (const id of given) {
    foundSnapshot(metadata, id);
    const name = heads.get(id);
    if (name !== undefined) throw refused(`snapshot ${id} can't be expired: ${name} is of it`);
  }
  const kept = isByAge ? keptByAge(metadata, policy, refs, nowMs) : undefined;
  const isExpired = ({ "snapshot-id": id }: Snapshot) => given.has(id) || kept?.has(id) === false;
  return { snapshots: metadata.snapshots.filter(isExpired), refs };
}

function expiredRefs(metadata: TableMetadata, nowMs: number): readonly string[] {
  const ageOfAll = countProperty(metadata.properties, "history.expire.max-ref-age-ms", Infinity, 1);
  return Object.entries(metadata.refs)
    .filter(([name, ref]) => {
      const madeMs = snapshotById(metadata, ref["snapshot-id"])?.["timestamp-ms"] ?? nowMs;
      return name !== MAIN && nowMs - madeMs > Number(ref["max-ref-age-ms"] ?? ageOfAll);
    })
    .map(([name]) => name);
}

function keptByAge(
  metadata: TableMetadata,
  { olderThan, keepLast }: RetentionPolicy,
  expired: readonly string[],
  nowMs: number,
): ReadonlySet<bigint> {
  const { properties } = metadata;
  const age = countProperty(properties, "history.expire.max-snapshot-age-ms", 5 * DAY_MS, 1);
  if (olderThan !== undefined && !(olderThan instanceof Date)) throw refused("olderThan isn't a Date");
  const limitMs = olderThan?.getTime() ?? nowMs - age;
  if (Number.isNaN(limitMs)) throw refused("olderThan isn't a valid Date");
  const least = keepLast ?? countProperty(properties, "history.expire.min-snapshots-to-keep", 1, 1);
  if (!(Number.isSafeInteger(least) && least > 0))
    throw refused(`keepLast is ${least}, which isn't a whole number above 0: the last snapshot always stays`);
  const kept = new Set<bigint>();
  const referenced = new Set<bigint>();
  for (const [name, ref] of Object.entries(metadata.refs)) {
    if (expired.includes(name)) continue;
    kept.add(ref["snapshot-id"]);
    referenced.add(ref["snapshot-id"]);
    if (ref.type === "tag") continue;
    const own = ref["max-snapshot-age-ms"];
    const branchLimitMs = own === undefined ? limitMs : nowMs - Number(own);
    let isKept = true;
    for (const [i, snapshot] of ancestorsOf(metadata, ref["snapshot-id"]).entries()) {
      referenced.add(snapshot["snapshot-id"]);
      isKept &&= i < (ref["min-snapshots-to-keep"] ?? least) || snapshot["timestamp-ms"] >= branchLimitMs;
      if (isKept) kept.add(snapshot["snapshot-id"]);
    }
  }
  // those of no branch, as after a rollback, have only their age
  for (const { "snapshot-id": id, "timestamp-ms": timeMs } of metadata.snapshots)
    if (!referenced.has(id) && timeMs >= limitMs) kept.add(id);
  return kept;
}
