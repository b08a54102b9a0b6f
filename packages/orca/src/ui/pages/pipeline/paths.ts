/** Where a pipeline's pages are. */

/** @param action of its own page: `backfill`. */
export function pathOf(name: string, action?: string): string {
  const path = `/pipelines/${encodeURIComponent(name)}`;
  return action === undefined ? path : `${path}/${action}`;
}

/** A path with those of some parameters that have a value. */
export function pathWith(path: string, params: Readonly<Record<string, string | undefined>>, fragment = ""): string {
  const given = Object.entries(params).filter((pair): pair is [string, string] => ![undefined, ""].includes(pair[1]));
  const query = new URLSearchParams(given).toString();
  return `${path}${query === "" ? "" : `?${query}`}${fragment}`;
}
