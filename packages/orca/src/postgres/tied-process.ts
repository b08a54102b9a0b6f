/** Programs of Postgres's, run as its account, that end with this process where the system can see to that. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { barrierSentence, type Account } from "./account.ts";

/** Of util-linux: it has the kernel send a signal when the parent ends, also by kill -9. There is no such thing on macOS. */
const SETPRIV = ["/usr/bin/setpriv", "/bin/setpriv"];

/** @param paths what the program must get at. */
export function spawnTied(
  program: string,
  words: readonly string[],
  account: Account | undefined,
  paths: readonly string[],
): ChildProcessByStdio<null, Readable, Readable> {
  const setpriv = SETPRIV.find((path) => existsSync(path));
  if (setpriv === undefined) return spawn(program, words, { ...account, stdio: ["ignore", "pipe", "pipe"] });
  const privileges = account === undefined ? [] : privilegesOf(account, paths);
  const command = ["--pdeathsig", "INT", ...privileges, program, ...words];
  return spawn(setpriv, command, { stdio: ["ignore", "pipe", "pipe"] });
}

/** Becomes an account; one that is kept from a path by the modes of folders, as in root's own, gets past them as root does. */
function privilegesOf(account: Account, paths: readonly string[]): readonly string[] {
  const become = [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  const isKeptOut = paths.some((path) => barrierSentence(account, path) !== undefined);
  return isKeptOut ? [...become, "--inh-caps=+dac_override", "--ambient-caps=+dac_override"] : become;
}
