/** A link to code. */
import { Name } from "../../look/name.tsx";

/** The commit, at its repository if that has pages, or else the code's hash. */
export function CodeLink({
  code: { hash, commit, repository, dirty },
}: {
  readonly code: {
    readonly hash: string;
    readonly commit: string | null;
    readonly repository: string | null;
    readonly dirty: boolean | null;
  };
}) {
  const text = commit?.slice(0, 7);
  return (
    <>
      {text === undefined ? (
        <span class="mono">
          <Name text={hash} />
        </span>
      ) : repository !== null && /^https?:/.test(repository) ? (
        <a
          class="mono"
          href={`${repository.replace(/\.git$/, "")}/tree/${commit}`}
          title={`code ${hash}`}
          rel="noreferrer"
        >
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
