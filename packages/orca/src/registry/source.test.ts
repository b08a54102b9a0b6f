import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findRepositoryRoot, readRepository } from "./source.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "orca-source-")));
afterAll(() => rmSync(folder, { recursive: true }));

function git(at: string, ...words: string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...identity, ...words], {
    cwd: at,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

function repository(name: string): { root: string; file: string } {
  const root = join(folder, name);
  mkdirSync(join(root, "pipelines"), { recursive: true });
  const file = join(root, "pipelines/lake.ts");
  writeFileSync(file, "export {};");
  git(root, "init", "-q");
  return { root, file };
}

function commit(root: string): string {
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "x");
  return git(root, "rev-parse", "HEAD");
}

describe("the source of a file", () => {
  it("is its repository and commit", async () => {
    const { root, file } = repository("clean");
    git(root, "remote", "add", "origin", "https://me:s3cret@github.com/owner/repo.git");
    const head = commit(root);
    expect(await findRepositoryRoot(join(root, "pipelines"))).toBe(root);
    expect(await readRepository(root, [file])).toEqual({
      repository: "https://github.com/owner/repo",
      commit: head,
      dirty: false,
    });
  });

  it("is dirty when a tracked file has changed, or a file of the pipeline is in no commit", async () => {
    const { root, file } = repository("dirty");
    commit(root);
    const other = join(root, "other.ts");
    writeFileSync(other, "export {};");
    expect(await readRepository(root, [file])).toMatchObject({ dirty: false });
    expect(await readRepository(root, [file, other])).toMatchObject({ dirty: true });
    expect(await readRepository(root, [file, join(folder, "outside.ts")])).toMatchObject({ dirty: true });
    writeFileSync(file, "export { };");
    expect(await readRepository(root, [file])).toMatchObject({ dirty: true });
  });

  it("is asked for without a lock on the index, which git would write anew", async () => {
    const { root, file } = repository("unlocked");
    commit(root);
    const later = new Date(Date.now() + 60_000);
    utimesSync(file, later, later); // git looks at it again, and would note that it is as it was
    const index = readFileSync(join(root, ".git/index"));
    expect(await readRepository(root, [file])).toMatchObject({ dirty: false });
    expect(readFileSync(join(root, ".git/index")).equals(index)).toBe(true);
    git(root, "status");
    expect(readFileSync(join(root, ".git/index")).equals(index)).toBe(false);
  });

  it("isn't known before the first commit, without a remote, and outside of a repository", async () => {
    const unknown = { repository: null, commit: null, dirty: null };
    const { root, file } = repository("empty");
    expect(await readRepository(root, [file])).toEqual(unknown);
    mkdirSync(join(folder, "plain"));
    expect(await findRepositoryRoot(join(folder, "plain"))).toBeUndefined();
    expect(await readRepository(undefined, [join(folder, "plain/lake.ts")])).toEqual(unknown);
    expect(await findRepositoryRoot(join(folder, "nowhere"))).toBeUndefined();
  });

  it("is what whoever builds says, where they do", async () => {
    const { root, file } = repository("given");
    const head = commit(root);
    expect(
      await readRepository(root, [file], { repository: "git@github.com:a/b.git", commit: "c0ffee", dirty: true }),
    ).toEqual({
      repository: "https://github.com/a/b",
      commit: "c0ffee",
      dirty: true,
    });
    expect(await readRepository(root, [file], { commit: "c0ffee" })).toMatchObject({ dirty: null });
    expect(await readRepository(root, [file], { commit: head })).toMatchObject({ dirty: false });
    expect(await readRepository(undefined, [], { repository: "our wiki" })).toMatchObject({ repository: "our wiki" });
  });

  it("isn't asked for once aborted", async () => {
    const { root } = repository("aborted");
    await expect(findRepositoryRoot(root, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});
