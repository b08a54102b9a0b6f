/** Manifests merged as they grow many, so that a manifest list stays short. */
import type { Abortable } from "@orcajs/objectstore";
import type { ManifestFile } from "../manifest/data-file.ts";
import { withSequenceNumber } from "../manifest/summary.ts";
import type { NewEntry } from "../manifest/write-manifest.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { inParallel } from "../in-parallel.ts";
import { liveEntries, MANIFESTS_AT_ONCE } from "../scan/manifest-source.ts";
import { type NewMetadataFiles, nextSequenceNumber } from "./new-metadata-files.ts";
import { existing } from "./removed-files.ts";
import { commitSettings } from "./settings.ts";

export class MergedManifests {
  readonly #written: NewMetadataFiles;
  /** By the paths of the manifests that were merged. */
  readonly #merged = new Map<string, ManifestFile>();

  constructor(written: NewMetadataFiles) {
    this.#written = written;
  }

  /** @param manifests the newest first, none of this commit. */
  async of(
    metadata: TableMetadata,
    manifests: readonly ManifestFile[],
    options: Abortable,
  ): Promise<readonly ManifestFile[]> {
    const { isMerging, manifestsToMerge, manifestSizeBytes } = commitSettings(metadata);
    if (!isMerging) return manifests;
    const groups = Map.groupBy(manifests, ({ specId, content }) => `${content} ${specId}`);
    const left: ManifestFile[] = [];
    for (const group of groups.values())
      for (const [i, bin] of binsOf(group, manifestSizeBytes).entries()) {
        const isMerged = bin.length > 1 && (i > 0 || bin.length >= manifestsToMerge);
        if (isMerged) left.push(await this.#merge(metadata, bin, options));
        else left.push(...bin);
      }
    return left;
  }

  async #merge(metadata: TableMetadata, bin: readonly ManifestFile[], options: Abortable): Promise<ManifestFile> {
    const key = bin.map(({ path }) => path).join("\n");
    const known = this.#merged.get(key);
    if (known !== undefined) return withSequenceNumber(known, nextSequenceNumber(metadata));
    const entries = await inParallel(MANIFESTS_AT_ONCE, bin, (m) => liveEntries(this.#written.files, m, options));
    const { specId, content } = bin[0]!;
    const merged: readonly NewEntry[] = entries.flat().map(existing);
    const manifest = await this.#written.manifest(metadata, { specId, content, entries: merged }, options);
    this.#merged.set(key, manifest);
    return manifest;
  }
}

/** Neighbours up to a size together, filled from the last: those stay as they are while what is new gathers in the first. */
export function binsOf<T extends { readonly length: number }>(
  items: readonly T[],
  sizeBytes: number,
): readonly (readonly T[])[] {
  const bins: T[][] = [];
  let left = 0;
  for (const item of items.toReversed()) {
    const bin = bins[0];
    if (bin !== undefined && item.length <= left) bin.unshift(item);
    else {
      bins.unshift([item]);
      left = sizeBytes;
    }
    left -= item.length;
  }
  return bins;
}
