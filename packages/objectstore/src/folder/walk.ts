import { readdir } from "node:fs/promises";
import path from "node:path";
import { compareKeys, keyFault } from "../key.ts";
import type { ObjectInfo } from "../object-store.ts";
import { unless } from "./disk-error.ts";
import { etagOf, fileAt } from "./version.ts";

/** Which keys are wanted: those with the prefix that come after `after`. */
export interface Wanted {
  readonly prefix: string;
  readonly after: string;
  readonly signal: AbortSignal | undefined;
}

/** The objects in a folder and beneath it whose keys are wanted, in the order of their keys. Links to folders aren't followed. */
export async function* walk(root: string, folder: string, wanted: Wanted): AsyncGenerator<ObjectInfo> {
  for (const entry of await entries(root, folder, wanted)) {
    wanted.signal?.throwIfAborted();
    if (entry.endsWith("/")) yield* walk(root, entry, wanted);
    else {
      // it may have been deleted since, or be a link to something else
      const file = await fileAt(path.join(root, entry));
      if (file !== undefined) yield infoOf(entry, file);
    }
  }
}

/** The folders right beneath a folder that have objects in them. */
export async function* walkFolders(root: string, folder: string, signal?: AbortSignal): AsyncGenerator<string> {
  for (const entry of await entries(root, folder, { prefix: folder, after: "", signal })) {
    if (entry.endsWith("/") && (await hasObjects(root, entry, signal))) yield entry;
  }
}

/** What `list` and `head` say of a file. */
export function infoOf(key: string, file: Parameters<typeof etagOf>[0] & { readonly mtime: Date }): ObjectInfo {
  return { key, etag: etagOf(file), size: Number(file.size), lastModified: file.mtime };
}

async function hasObjects(root: string, folder: string, signal?: AbortSignal): Promise<boolean> {
  for await (const _ of walk(root, folder, { prefix: folder, after: "", signal })) return true;
  return false;
}

/** Keys, and folders with a slash at their end, sorted as the keys are: a folder's keys all begin with its name and the slash. */
async function entries(root: string, folder: string, wanted: Wanted): Promise<readonly string[]> {
  const found = (await unless(["ENOENT", "ENOTDIR"], readdir(path.join(root, folder), { withFileTypes: true }))) ?? [];
  return found
    .map((entry) => (entry.isDirectory() ? `${folder}${entry.name}/` : `${folder}${entry.name}`))
    .filter((entry) => mayHold(entry, wanted))
    .sort(compareKeys);
}

function mayHold(entry: string, { prefix, after }: Wanted): boolean {
  const isFolder = entry.endsWith("/");
  if (keyFault(isFolder ? entry.slice(0, -1) : entry) !== undefined) return false;
  if (!entry.startsWith(prefix) && !(isFolder && prefix.startsWith(entry))) return false;
  return after === "" || compareKeys(entry, after) > 0 || (isFolder && after.startsWith(entry));
}
