/** Where the pages are. */
import type { Location } from "../../core/code-locations.ts";

/** @param action of its own page: `backfill`. */
export function pipelineHref(name: string, action?: string): string {
  return within(`/pipelines/${encodeURIComponent(name)}`, action);
}

/** @param action of its own page: `rebuild`. */
export function datasetHref(name: string, action?: string): string {
  return within(`/datasets/${encodeURIComponent(name)}`, action);
}

export function runHref(run: number, action?: string): string {
  return within(`/runs/${run}`, action);
}

/** The attempts of a step of a partition. A gather step, which has none, has a path that is shorter, so that it is no partition's. */
export function attemptHref(run: number, step: string, partition: string | null, attempt?: number): string {
  return hrefWith(runHref(run, `steps/${partsOf(step, partition)}`), { attempt });
}

/** The whole log of an attempt, as text. */
export function logHref(run: number, step: string, partition: string | null, attempt: number): string {
  return hrefWith(runHref(run, `logs/${partsOf(step, partition)}`), { attempt });
}

export function backfillHref(backfill: number, action?: string): string {
  return within(`/backfills/${backfill}`, action);
}

export function rebuildHref(rebuild: number, action?: string): string {
  return within(`/rebuilds/${rebuild}`, action);
}

/** @param back where one is after it. */
export function loginHref(back: string): string {
  return hrefWith("/login", { back });
}

/** The commit that code is of, in its repository. */
export interface CodeCommit {
  readonly repository: string | null;
  readonly commit: string | null;
  readonly dirty: boolean | null;
}

/** Where a commit can be looked at; undefined where that isn't known. */
export function commitHref({ repository, commit }: CodeCommit): string | undefined {
  if (repository === null || commit === null || !/^https?:\/\//.test(repository)) return undefined;
  return `${repository.replace(/(\.git)?\/*$/, "")}/tree/${commit}`;
}

/** Where a line can be looked at; undefined too of code that differs from its commit, which has other lines. */
export function lineHref(code: CodeCommit, { file, line }: Location): string | undefined {
  const tree = code.dirty === true ? undefined : commitHref(code);
  return tree && `${tree.replace("/tree/", "/blob/")}/${file.split("/").map(encodeURIComponent).join("/")}#L${line}`;
}

/** A path with those of some parameters that have a value. @param fragment with its `#`. */
export function hrefWith(
  path: string,
  params: Readonly<Record<string, string | number | undefined>>,
  fragment = "",
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== "") query.set(name, String(value));
  return `${path}${query.size === 0 ? "" : `?${query.toString()}`}${fragment}`;
}

function within(path: string, part: string | undefined): string {
  return part === undefined ? path : `${path}/${part}`;
}

function partsOf(step: string, partition: string | null): string {
  return [step, ...(partition === null ? [] : [partition])].map(encodeURIComponent).join("/");
}
