/** Whom Postgres runs as: it refuses root. */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { dataOf } from "./places.ts";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** In this order. `nobody` is on every system. */
const NAMES = ["postgres", "nobody"];

/** Root's Postgres runs as whoever owns the data, else as the first of {@link NAMES} that there is; others' as themselves: undefined. */
export function serverAccount(home: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const data = statSync(dataOf(home), { throwIfNoEntry: false });
  if (data !== undefined && data.uid !== 0) return { uid: data.uid, gid: data.gid };
  for (const name of NAMES) {
    try {
      const id = (option: string) => Number(execFileSync("id", [option, name], { encoding: "utf8", stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      continue; // there is no such account
    }
  }
  throw new Error(
    `Postgres doesn't run as root, and there is no account ${NAMES.join(" or ")}: start it as another user`,
  );
}

/** A sentence that names the folder that keeps root's Postgres from a path; undefined if none does. */
export function barrierSentence(account: Account | undefined, path: string): string | undefined {
  if (account === undefined) return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  const mode = found?.mode ?? 0o777;
  const isOpen = (mode & 0o001) !== 0 || (found?.uid === account.uid && (mode & 0o100) !== 0);
  if (!isOpen)
    return `Postgres doesn't run as root but as the user with the number ${account.uid}, who may not enter ${path}: run chmod o+x ${path}, or use another folder`;
  return dirname(path) === path ? undefined : barrierSentence(account, dirname(path));
}
