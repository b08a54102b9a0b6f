/** Programs of Postgres's, run as its account, that end with this process where the system can see to that. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Account } from "./account.ts";

/** Of util-linux: it has the kernel send a signal when the parent ends, also by kill -9. There is no such thing on macOS. */
const SETPRIV = ["/usr/bin/setpriv", "/bin/setpriv"];

export function spawnTied(
  program: string,
  words: readonly string[],
  account: Account | undefined,
): ChildProcessByStdio<null, Readable, Readable> {
  const setpriv = SETPRIV.find((path) => existsSync(path));
  const command = setpriv === undefined ? [program, ...words] : [setpriv, "--pdeathsig", "INT", program, ...words];
  return spawn(command[0]!, command.slice(1), { ...account, stdio: ["ignore", "pipe", "pipe"] });
}
