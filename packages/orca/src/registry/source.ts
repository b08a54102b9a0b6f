/** Which repository and commit code is of, as git says, or whoever builds it. */
import { execFile } from "node:child_process";
import { relative } from "node:path";
import { repositoryOnTheWeb } from "./repository-url.ts";

/** What whoever builds says of the source, in place of git: `ORCA_SOURCE`, `ORCA_COMMIT` and `ORCA_DIRTY`. */
export interface GivenSource {
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
  readonly dirty?: boolean | undefined;
}

export interface Repository {
  /** Where it is on the web: `https://github.com/owner/repo`. */
  readonly repository: string | null;
  readonly commit: string | null;
  /** Whether a tracked file differs from the commit, or one of `files` isn't in it. */
  readonly dirty: boolean | null;
}

/** The folder that holds the repository that `folder` is in; undefined outside of one, and without git. */
export async function findRepositoryRoot(folder: string, signal?: AbortSignal): Promise<string | undefined> {
  return (await git(folder, ["rev-parse", "--show-toplevel"], signal)) || undefined;
}

/**
 * What is known of the source of `files`. What isn't (no git, no repository, no commit, no remote) is null, and no error.
 *
 * @param root the repository's folder, if there is one.
 * @param files absolute paths.
 */
export async function readRepository(
  root: string | undefined,
  files: readonly string[],
  given: GivenSource = {},
  signal?: AbortSignal,
): Promise<Repository> {
  const ask = async (...words: string[]) => (root === undefined ? undefined : await git(root, words, signal));
  const inside = files.filter((file) => root !== undefined && !relative(root, file).startsWith(".."));
  const [commit, remote, changed, untracked] = await Promise.all([
    ask("rev-parse", "--verify", "HEAD"),
    ask("remote", "get-url", "origin"),
    // locks are left to whoever else uses git here at the same time
    ask("--no-optional-locks", "status", "--porcelain", "--untracked-files=no"),
    inside.length === 0 ? "" : ask("ls-files", "--others", "--", ...inside),
  ]);
  const isDirty = commit === undefined ? null : changed !== "" || untracked !== "" || inside.length < files.length;
  const isOther = given.commit !== undefined && given.commit !== commit;
  return {
    repository: repositoryOnTheWeb(given.repository ?? remote) ?? given.repository ?? null,
    commit: given.commit ?? commit ?? null,
    dirty: given.dirty ?? (isOther ? null : isDirty),
  };
}

/** What git prints, without the last line end; undefined where it fails. */
async function git(folder: string, words: readonly string[], signal?: AbortSignal): Promise<string | undefined> {
  return await new Promise((resolve, reject) => {
    execFile("git", words, { cwd: folder, maxBuffer: 64 << 20, ...(signal && { signal }) }, (error, printed) => {
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve(error === null ? printed.trimEnd() : undefined);
    });
  });
}
