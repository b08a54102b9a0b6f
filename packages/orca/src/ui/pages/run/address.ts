/** Where the pages of a run are. */

export function runHref(run: number): string {
  return `/runs/${run}`;
}

/** The attempts of a step of a partition. A gather step, which has none, has a path that is shorter, so that it is no partition's. */
export function attemptHref(run: number, step: string, partition: string | null, attempt?: number): string {
  return `${runHref(run)}/steps/${pathOf(step, partition)}${queryOf(attempt)}`;
}

/** The whole log of an attempt, as text. */
export function logHref(run: number, step: string, partition: string | null, attempt: number): string {
  return `${runHref(run)}/logs/${pathOf(step, partition)}${queryOf(attempt)}`;
}

function pathOf(step: string, partition: string | null): string {
  return [step, ...(partition === null ? [] : [partition])].map(encodeURIComponent).join("/");
}

function queryOf(attempt: number | undefined): string {
  return attempt === undefined ? "" : `?attempt=${attempt}`;
}
