import { describe, expect, it } from "vitest";
import { repositoryOnTheWeb } from "./repository-url.ts";

describe("a repository's address on the web", () => {
  it.each([
    ["https://github.com/owner/repo", "https://github.com/owner/repo"],
    ["https://github.com/owner/repo.git", "https://github.com/owner/repo"],
    ["https://user:s3cret@github.com/owner/repo.git", "https://github.com/owner/repo"],
    ["https://ghp_token@github.com/owner/repo.git", "https://github.com/owner/repo"],
    ["https://github.com/owner/repo.git?token=s3cret#x", "https://github.com/owner/repo"],
    ["http://git.local:8080/group/sub/repo.git/", "http://git.local:8080/group/sub/repo"],
    ["git@github.com:owner/repo.git", "https://github.com/owner/repo"],
    ["github.com:owner/repo.git", "https://github.com/owner/repo"],
    ["oauth2:s3cret@gitlab.com:owner/repo.git", "https://gitlab.com/owner/repo"],
    ["ssh://git@git.example.com:2222/owner/repo.git", "https://git.example.com/owner/repo"],
    ["git+ssh://git@github.com/owner/repo", "https://github.com/owner/repo"],
    ["git://github.com/owner/repo.git", "https://github.com/owner/repo"],
    ["/srv/git/repo.git", undefined],
    ["../repo", undefined],
    ["C:\\git\\repo", undefined],
    ["file:///srv/git/repo.git", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of %s is %s", (remote, expected) => {
    expect(repositoryOnTheWeb(remote)).toBe(expected);
  });
});
