/**
 * The metadata files of a table in a folder, as Hadoop's catalog lays them out: `metadata/v1.metadata.json`, `v2.metadata.json`, …, of which the highest
 * is the table, and `metadata/version-hint.text` with a number that is it, or was ("Commit Conflict Resolution and Retry", "File System Tables").
 */
import { type Abortable, ObjectStoreError } from "@orcajs/objectstore";
import type { TableFiles } from "../../files/table-files.ts";
import { orNothing } from "../metadata-file.ts";

export interface VersionFile {
  readonly version: number;
  readonly uri: string;
}

const HINT = "version-hint.text";

/** After so many versions beyond the hint the folder is listed: the hint is far behind. */
const PROBES_MAX = 8;

/** `v3.metadata.json`, compressed `v3.gz.metadata.json`, and as it was called in old versions `v3.metadata.json.gz`. */
const VERSION_FILE = /^v(\d{1,15})((?:\.gz)?\.metadata\.json(?:\.gz)?)$/;

/** The version that a metadata file is, by its name; nothing if it isn't named so. */
export function versionOf(uri: string): VersionFile | undefined {
  const version = VERSION_FILE.exec(uri.slice(uri.lastIndexOf("/") + 1))?.[1];
  return version === undefined ? undefined : { version: Number(version), uri };
}

/** The file of a version, compressed or not like that of another. */
export function versionFile(location: string, version: number, like?: VersionFile): VersionFile {
  const suffix = VERSION_FILE.exec(like?.uri.slice(like.uri.lastIndexOf("/") + 1) ?? "")?.[2] ?? ".metadata.json";
  return { version, uri: `${location}/metadata/v${version}${suffix}` };
}

/**
 * Which version is the current one, by the hint and what is beyond it; nothing if there is no hint, or it leads far astray. The file may not be
 * there: the hint isn't looked after.
 */
export async function hintedVersion(
  files: TableFiles,
  location: string,
  options: Abortable,
): Promise<VersionFile | undefined> {
  const { store, key } = files.objectAt(`${location}/metadata/${HINT}`);
  const hint = await orNothing(store.get(key, options));
  const text = hint === undefined ? "" : new TextDecoder().decode(hint.bytes).trim();
  if (!/^\d{1,15}$/.test(text)) return undefined;
  for (let version = Number(text); version < Number(text) + PROBES_MAX; version++) {
    const beyond = files.objectAt(versionFile(location, version + 1).uri);
    if ((await beyond.store.head(beyond.key, options)) === undefined) return versionFile(location, version);
  }
  return undefined;
}

/** All version files, from the oldest. */
export async function listVersions(
  files: TableFiles,
  location: string,
  options: Abortable,
): Promise<readonly VersionFile[]> {
  const { store, key, root } = files.objectAt(`${location}/metadata/v`);
  const found: VersionFile[] = [];
  for await (const object of store.list(key, options)) {
    const version = versionOf(object.key);
    if (version !== undefined && !object.key.slice(key.length).includes("/"))
      found.push({ version: version.version, uri: `${root}${object.key}` });
  }
  return found.sort((a, b) => a.version - b.version);
}

/** Whether there is a table in a folder. */
export async function hasVersions(files: TableFiles, location: string, options: Abortable): Promise<boolean> {
  const hinted = await hintedVersion(files, location, options);
  if (hinted !== undefined && (await files.sizeBytes(hinted.uri, options)) !== undefined) return true;
  return (await listVersions(files, location, options)).length > 0;
}

/** Tells readers the version. One that can't be told is found by them nonetheless. */
export async function writeHint(files: TableFiles, location: string, version: number): Promise<void> {
  const { store, key } = files.objectAt(`${location}/metadata/${HINT}`);
  try {
    await store.put(key, String(version));
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
  }
}

export async function deleteHint(files: TableFiles, location: string, options: Abortable): Promise<void> {
  await files.delete([`${location}/metadata/${HINT}`], options);
}
