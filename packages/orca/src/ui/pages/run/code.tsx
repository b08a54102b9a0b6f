import type { RunHead } from "../../../state/pages/run-head.ts";
import { Two } from "../../look/two.tsx";

/** What code a run is of: its commit, where that leads to, or else its hash. */
export function Code({
  run,
}: {
  readonly run: Pick<RunHead, "commit" | "repository" | "dirty" | "hash" | "isNewestCode">;
}) {
  const { commit, dirty, hash, isNewestCode } = run;
  const href = commitHref(run);
  const short = commit?.slice(0, 7);
  const named = (
    <>
      {href === undefined ? (
        <span class="mono">{short ?? hash.slice(0, 12)}</span>
      ) : (
        <a class="mono" href={href} rel="noreferrer" target="_blank">
          {short}
        </a>
      )}
      {commit !== null && dirty === true && " with changes"}
    </>
  );
  return (
    <Two
      first={named}
      second={
        <>
          {commit !== null && <span class="mono">{hash.slice(0, 12)} </span>}
          {isNewestCode === true && "the pipeline's newest"}
          {isNewestCode === false && "the pipeline has newer"}
        </>
      }
    />
  );
}

/** Where a commit can be looked at; undefined where that isn't known. */
export function commitHref({ repository, commit }: Pick<RunHead, "repository" | "commit">): string | undefined {
  if (repository === null || commit === null || !/^https?:\/\//.test(repository)) return undefined;
  return `${repository.replace(/(\.git)?\/*$/, "")}/tree/${commit}`;
}
