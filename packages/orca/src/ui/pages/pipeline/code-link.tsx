/** A link to code. */
import { type CodeCommit, commitHref } from "../../look/addresses.ts";
import { Name } from "../../look/name.tsx";

/** The commit, at its repository if that has pages, or else the code's hash. */
export function CodeLink({
  code: { hash, commit, repository, dirty },
}: {
  readonly code: CodeCommit & { readonly hash: string };
}) {
  const text = commit?.slice(0, 7);
  const href = commitHref({ repository, commit, dirty });
  return (
    <>
      {text === undefined ? (
        <span class="mono">
          <Name text={hash} />
        </span>
      ) : href !== undefined ? (
        <a class="mono" href={href} title={`code ${hash}`} rel="noreferrer">
          {text}
        </a>
      ) : (
        <span class="mono" title={`code ${hash}`}>
          {text}
        </span>
      )}
      {dirty === true && (
        <>
          {" "}
          <span class="tag">uncommitted changes</span>
        </>
      )}
    </>
  );
}
