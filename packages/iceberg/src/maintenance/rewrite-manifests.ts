/** Manifests written anew, so that each is of few partitions and has about the size that the table wants. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations } from "../catalog/table-operations.ts";
import { type Committed, commitSnapshot, type StagedSnapshot } from "../commit/commit-snapshot.ts";
import { NewMetadataFiles, nextSequenceNumber } from "../commit/new-metadata-files.ts";
import { existing } from "../commit/removed-files.ts";
import { commitSettings } from "../commit/settings.ts";
import { checkProperties, summaryOf } from "../commit/summary.ts";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestEntry, ManifestFile } from "../manifest/data-file.ts";
import { withSequenceNumber } from "../manifest/summary.ts";
import { MAIN, type Snapshot, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { inParallel } from "../in-parallel.ts";
import { liveEntries, manifestsOf, MANIFESTS_AT_ONCE } from "../scan/manifest-source.ts";
import { compareValues } from "../values/compare.ts";

export interface RewriteManifestsOptions extends Abortable {
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** Default: `commit.manifest.target-size-bytes`, or 8 MiB. */
  readonly targetSizeBytes?: number | undefined;
  /** Properties of the snapshot's summary, besides the counts. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}

/**
 * Rewrites the manifests of each partition spec that are too small or have files of many partitions, with their files in the order of their partitions.
 * No data changes, and what others commit meanwhile stays. Undefined if there is nothing to rewrite. The entries of one spec are in memory together.
 *
 * @throws IcebergError `commit-conflict` if others rewrote manifests meanwhile too, or were always quicker; as `commitFiles` does.
 */
export async function rewriteManifests(
  operations: TableOperations,
  { branch = MAIN, targetSizeBytes, properties = {}, signal }: RewriteManifestsOptions = {},
): Promise<Committed | undefined> {
  const base = await operations.load({ signal });
  const { metadata } = base;
  checkProperties({ operation: "replace", properties });
  const target = targetSizeBytes ?? commitSettings(metadata).manifestSizeBytes;
  const parent = snapshotOfRef(metadata, branch);
  const manifests = parent === undefined ? [] : await manifestsOf(operations.files, parent, { signal });
  const groups = Map.groupBy(manifests, ({ specId, content }) => `${content} ${specId}`);
  const rewritten = [...groups.values()].filter((group) => isToRewrite(group, target)).flat();
  if (rewritten.length === 0) return undefined;
  const staged = new StagedManifests(operations.files, { branch, rewritten, target, properties });
  return await commitSnapshot(operations, staged, { base, branch, signal });
}

/** Whether fewer manifests would do, or some have entries of deleted files alone. */
function isToRewrite(group: readonly ManifestFile[], targetSizeBytes: number): boolean {
  const sizeBytes = group.reduce((sum, { length }) => sum + length, 0);
  const isLarge = group.some(({ length }) => length > 2 * targetSizeBytes);
  return isLarge || group.length > Math.ceil((1.25 * sizeBytes) / targetSizeBytes);
}

interface Rewriting {
  readonly branch: string;
  readonly rewritten: readonly ManifestFile[];
  readonly target: number;
  readonly properties: Readonly<Record<string, string>>;
}

class StagedManifests implements StagedSnapshot {
  readonly #of: Rewriting;
  readonly #written: NewMetadataFiles;
  #manifests: readonly ManifestFile[] | undefined;
  #entries = 0;

  constructor(files: TableFiles, of: Rewriting) {
    this.#of = of;
    this.#written = new NewMetadataFiles(files);
  }

  async snapshotOn(metadata: TableMetadata, options: Abortable): Promise<Snapshot> {
    const { branch, rewritten, properties } = this.#of;
    const parent = snapshotOfRef(metadata, branch);
    const before = parent === undefined ? [] : await manifestsOf(this.#written.files, parent, options);
    const paths = new Set(rewritten.map(({ path }) => path));
    const kept = before.filter(({ path }) => !paths.has(path));
    if (before.length - kept.length < paths.size)
      throw new IcebergError(
        "commit-conflict",
        `manifests of ${branch} that are to be rewritten were rewritten by others meanwhile: do this again`,
      );
    this.#manifests ??= await this.#write(metadata, options);
    const sequenceNumber = nextSequenceNumber(metadata);
    const manifests = [...this.#manifests.map((m) => withSequenceNumber(m, sequenceNumber)), ...kept];
    const summary = {
      ...summaryOf({ operation: "replace", properties }, [], parent),
      "manifests-replaced": String(rewritten.length),
      "entries-processed": String(this.#entries),
    };
    return await this.#written.snapshot(metadata, { parent, manifests, summary }, options);
  }

  async discardFailed(): Promise<void> {
    await this.#written.discardFailed();
  }

  async discardAll(): Promise<void> {
    await this.#written.discardAll();
  }

  async #write(metadata: TableMetadata, options: Abortable): Promise<readonly ManifestFile[]> {
    const written: ManifestFile[] = [];
    const groups = Map.groupBy(this.#of.rewritten, ({ specId, content }) => `${content} ${specId}`);
    for (const group of groups.values()) {
      const { specId, content } = group[0]!;
      const read = (m: ManifestFile) => liveEntries(this.#written.files, m, options);
      const entries = (await inParallel(MANIFESTS_AT_ONCE, group, read)).flat().sort(byPartition);
      const sizeBytes = group.reduce((sum, { length }) => sum + length, 0);
      const count = Math.max(1, Math.ceil(sizeBytes / this.#of.target));
      const perManifest = Math.ceil(entries.length / count);
      for (let from = 0; from < entries.length; from += perManifest) {
        const part = entries.slice(from, from + perManifest).map(existing);
        written.push(await this.#written.manifest(metadata, { specId, content, entries: part }, options));
      }
      this.#entries += entries.length;
    }
    return written;
  }
}

function byPartition({ file: a }: ManifestEntry, { file: b }: ManifestEntry): number {
  for (const [i, x] of a.partition.entries()) {
    const y = b.partition[i] ?? null;
    if (x === null || y === null) {
      if (x !== y) return x === null ? -1 : 1;
      continue;
    }
    // a column that was promoted has values of both types
    const order = typeof x === typeof y ? compareValues(x, y) : Number(x) - Number(y);
    if (order !== 0) return order;
  }
  return 0;
}
