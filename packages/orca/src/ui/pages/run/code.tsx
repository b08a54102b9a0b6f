import type { RunHead } from "../../../state/pages/run-head.ts";
import { type CodeCommit, commitHref } from "../../look/addresses.ts";
import { CodePlace } from "../../look/code-places.tsx";
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

/** A place in the source that an error names: `(examples/trips.ts:14:21)`. */
const PLACE = /(?:^|[\s(])((?:[\w.@-]+\/)*[\w.@-]+\.[cm]?tsx?):(\d+)(?::\d+)?/g;
const PLACES_MAX = 5;

/** Links to the places in the source that a text names, at the commit that the run is of. */
export function Places({ text, run }: { readonly text: string; readonly run: CodeCommit }) {
  if (commitHref(run) === undefined) return null;
  const found = [...text.matchAll(PLACE)].map(([, file, line]) => ({ file: file!, line: Number(line) }));
  const places = found.filter(
    (place, i) => i === found.findIndex((other) => other.file === place.file && other.line === place.line),
  );
  return (
    <p class="note">
      {places.slice(0, PLACES_MAX).map((place, i) => (
        <>
          {i > 0 && ", "}
          <CodePlace code={run} at={place} />
        </>
      ))}
    </p>
  );
}
