/** The manifests of snapshots, which never change: those that were read last are kept. */
import type { Abortable } from "@orcajs/objectstore";
import { openAvro } from "../avro/container.ts";
import { IcebergError } from "../errors.ts";
import { readingError } from "../files/missing-file.ts";
import { inParallel } from "../in-parallel.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestEntry, ManifestFile } from "../manifest/data-file.ts";
import { checkManifestCount } from "../manifest/manifest-counts.ts";
import { readManifestList } from "../manifest/manifest-list.ts";
import { readManifest, type ReadManifestOptions } from "../manifest/read-manifest.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";

/** How many manifests are read at a time. */
export const MANIFESTS_AT_ONCE = 8;
/** How much is kept of each store: some thousand manifests of a hundred files. */
const KEPT_BYTES = 64 * 1024 * 1024;

const kept = new WeakMap<TableFiles, KeptFiles>();

/**
 * The manifests of a snapshot, as its manifest list has them.
 * @throws IcebergError `invalid-manifest` if the list is corrupt or has fewer than its snapshot says.
 */
export async function manifestsOf(
  files: TableFiles,
  snapshot: Snapshot,
  options: Abortable,
): Promise<readonly ManifestFile[]> {
  const list = snapshot["manifest-list"];
  if (list !== undefined) {
    const manifests = await readManifestList(await bytesOf(files, list, options), list);
    checkManifestCount(manifests, snapshot);
    return manifests;
  }
  // version 1 may have the paths alone
  return await Promise.all(
    (snapshot.manifests ?? []).map(async (path) => {
      const bytes = await bytesOf(files, path, options);
      const { metadata } = await openAvro(bytes);
      return {
        path,
        length: bytes.length,
        specId: Number(metadata.get("partition-spec-id") ?? 0),
        content: "data",
        sequenceNumber: 0,
        minSequenceNumber: 0,
        addedSnapshotId: snapshot["snapshot-id"],
        addedFiles: undefined,
        existingFiles: undefined,
        deletedFiles: undefined,
        addedRows: undefined,
        existingRows: undefined,
        deletedRows: undefined,
        partitions: undefined,
      } satisfies ManifestFile;
    }),
  );
}

/** The entries of a manifest whose files are in the table. */
export async function liveEntries(
  files: TableFiles,
  manifest: ManifestFile,
  options: ReadManifestOptions & Abortable,
): Promise<readonly ManifestEntry[]> {
  if (manifest.keyMetadata !== undefined) throw encrypted(`manifest ${manifest.path}`);
  const entries: ManifestEntry[] = [];
  for await (const block of readManifest(await bytesOf(files, manifest.path, options), manifest, options)) {
    options.signal?.throwIfAborted();
    for (const entry of block) if (entry.status !== "deleted") entries.push(entry);
  }
  return entries;
}

/** Manifests with all counts, as lists of version 2 have them: of those that lack some, as version 1 may leave them out, the entries are counted. */
export async function withCounts(
  files: TableFiles,
  manifests: readonly ManifestFile[],
  options: Abortable,
): Promise<readonly ManifestFile[]> {
  return await inParallel(MANIFESTS_AT_ONCE, manifests, async (manifest) => {
    const { addedFiles, existingFiles, deletedFiles, addedRows, existingRows, deletedRows } = manifest;
    if (![addedFiles, existingFiles, deletedFiles, addedRows, existingRows, deletedRows].includes(undefined))
      return manifest;
    const counts = { addedFiles: 0, existingFiles: 0, deletedFiles: 0, addedRows: 0, existingRows: 0, deletedRows: 0 };
    const bytes = await bytesOf(files, manifest.path, options);
    for await (const block of readManifest(bytes, manifest, { statistics: false }))
      for (const { status, file } of block) {
        counts[`${status}Files`]++;
        counts[`${status}Rows`] += file.recordCount;
      }
    return { ...manifest, ...counts };
  });
}

/** Writes a new manifest or manifest list, and keeps it: whoever commits again reads it next. */
export async function writeKept(files: TableFiles, uri: string, bytes: Uint8Array, options: Abortable): Promise<void> {
  await files.write(uri, bytes, options);
  keptOf(files).set(uri, bytes);
}

export function encrypted(what: string): IcebergError {
  return new IcebergError("unsupported", `${what} is encrypted, and encryption isn't supported`);
}

async function bytesOf(files: TableFiles, uri: string, { signal }: Abortable): Promise<Uint8Array> {
  const cache = keptOf(files);
  const known = cache.get(uri);
  if (known !== undefined) return known;
  try {
    const bytes = await files.read(uri, { signal });
    cache.set(uri, bytes);
    return bytes;
  } catch (error) {
    throw readingError(uri, error);
  }
}

function keptOf(files: TableFiles): KeptFiles {
  const cache = kept.get(files) ?? new KeptFiles();
  kept.set(files, cache);
  return cache;
}

class KeptFiles {
  readonly #files = new Map<string, Uint8Array>();
  #sizeBytes = 0;

  get(uri: string): Uint8Array | undefined {
    const bytes = this.#files.get(uri);
    if (bytes === undefined) return undefined;
    // the oldest are first
    this.#files.delete(uri);
    this.#files.set(uri, bytes);
    return bytes;
  }

  set(uri: string, bytes: Uint8Array): void {
    if (bytes.length > KEPT_BYTES / 4) return;
    this.#sizeBytes += bytes.length - (this.#files.get(uri)?.length ?? 0);
    this.#files.set(uri, bytes);
    for (const [oldest, { length }] of this.#files) {
      if (this.#sizeBytes <= KEPT_BYTES) return;
      this.#files.delete(oldest);
      this.#sizeBytes -= length;
    }
  }
}
