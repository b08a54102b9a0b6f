/** What else is beside the logs of a run's attempts: what its processes printed, and what its machines did. */
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isInBucket, rootOf } from "./log-place.ts";
import { pathComponent } from "./path-component.ts";

/** More files aren't looked at. */
const FILES_MAX = 100;

/**
 * Where a run's logs are: told by where the log of one of its attempts is, or else by where logs are now. Undefined where neither is known.
 *
 * @param log of an attempt, as it is recorded. @param logs what `ORCA_LOGS` is.
 */
export function placeOfRun(
  { pipeline, run, log }: { readonly pipeline: string; readonly run: number; readonly log: string | null },
  logs: string | undefined,
): string | undefined {
  const path = `${pathComponent(pipeline)}/${pathComponent(String(run))}`;
  const end = log?.replaceAll("\\", "/").lastIndexOf(`/${path}/`) ?? -1;
  if (end >= 0) return log!.slice(0, end + 1 + path.length);
  if (logs === undefined) return undefined;
  return isInBucket(logs) ? `${rootOf(logs)}/${path}` : join(resolve(logs), path);
}

/** The files in a folder, of a run's place or beneath it, in the order of their names; none if it isn't there or can't be read. */
export async function filesIn(place: string, logs: string | undefined): Promise<readonly string[]> {
  try {
    return isInBucket(place) ? await objectsIn(place, logs) : await namesIn(place);
  } catch {
    return []; // what is beside a run's logs is shown if it can be
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return names
    .toSorted()
    .slice(0, FILES_MAX)
    .map((name) => join(folder, name));
}

async function objectsIn(place: string, logs: string | undefined): Promise<readonly string[]> {
  const { openObjectStore } = await import("@orcajs/objectstore");
  const isUnder = logs !== undefined && isInBucket(logs) && place.startsWith(`${rootOf(logs)}/`);
  const root = isUnder ? rootOf(logs) : /^s3:\/\/[^/]*/i.exec(place)![0];
  await using store = openObjectStore(isUnder ? logs : root);
  const prefix = `${place.slice(root.length + 1)}/`;
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) {
    if (!key.slice(prefix.length).includes("/")) found.push(`${root}/${key}`);
    if (found.length >= FILES_MAX) break;
  }
  return found;
}
