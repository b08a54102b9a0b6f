/**
 * The address that a browser finds a git remote's repository at, without a user or a token: `https://github.com/owner/repo` for
 * `git@github.com:owner/repo.git` and `https://user:token@github.com/owner/repo.git`. Undefined for what isn't on the web, such as a folder.
 */
export function repositoryOnTheWeb(remote: string | undefined): string | undefined {
  const text = remote?.trim() ?? "";
  // scp's form, whose host is longer than the letter of a Windows drive
  const scp = /^(?:[^@/]+@)?([^@/:]{2,}):(?!\/\/)\/?([^@]+)$/.exec(text);
  const url = scp ? URL.parse(`https://${scp[1]}/${scp[2]}`) : URL.parse(text);
  if (url === null || !/^(https?|ssh|git|git\+ssh|git\+https):$/.test(url.protocol) || url.hostname === "")
    return undefined;
  const isWeb = /^https?:$/.test(url.protocol);
  const path = url.pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return `${url.protocol === "http:" ? "http" : "https"}://${isWeb ? url.host : url.hostname}${path}`;
}
