import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import { hintedVersion, listVersions } from "./folder/version-files.ts";

/** `00003-<uuid>.metadata.json`, compressed `00003-<uuid>.gz.metadata.json`. */
const CATALOG_FILE = /^(\d{1,15})-[^/]*\.metadata\.json(\.gz)?$/;

/** The URI of the newest metadata file in a table's folder, however it is laid out; undefined if there is none. */
export async function currentFile(files: TableFiles, folder: string, options: Abortable): Promise<string | undefined> {
  const hinted = await hintedVersion(files, folder, options);
  if (hinted !== undefined && (await files.sizeBytes(hinted.uri, options)) !== undefined) return hinted.uri;
  return (await listVersions(files, folder, options)).at(-1)?.uri ?? (await lastCatalogFile(files, folder, options));
}

/** That of the highest number, as catalogs name them; undefined if there is none. */
export async function lastCatalogFile(
  files: TableFiles,
  table: string,
  options: Abortable,
): Promise<string | undefined> {
  let last: { readonly number: number; readonly modifiedAt: Date; readonly uri: string } | undefined;
  const folder = `${table}/metadata`;
  for await (const { uri, modifiedAt } of files.list(folder, options)) {
    const number = Number(CATALOG_FILE.exec(uri.slice(folder.length + 1))?.[1]);
    if (Number.isNaN(number)) continue;
    const isLater =
      last === undefined || number > last.number || (number === last.number && modifiedAt > last.modifiedAt);
    if (isLater) last = { number, modifiedAt, uri };
  }
  return last?.uri;
}
