/** Starts the process that is a folder's guardian. */
import { spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { fileURLToPath } from "node:url";
import { guardianOf, logOf } from "./places.ts";

/** What a guardian is started with, as JSON. */
export interface Charge {
  readonly home: string;
  /** Of its socket, which it inherits as its file 3. */
  readonly number: number;
  /** The folder with `initdb` and `postgres`. */
  readonly binaries: string;
  /** How long the server goes on when its last user has gone. */
  readonly lingerMs: number;
}

/** What `running-file.ts` and a build put into the scope of all code in a built file. */
declare const __orca: { readonly guardian: string } | undefined;

/**
 * Gives a claimed socket to a new process, which outlives this one, with a session of its own: Ctrl-C doesn't reach it. If that doesn't start,
 * nobody listens on the socket any more.
 */
export function launchGuardian(socket: Server, charge: Charge): void {
  const { home } = charge;
  try {
    const log = openSync(logOf(home), "a", 0o600);
    const child = spawn(process.execPath, [codeOf(home), JSON.stringify(charge)], {
      cwd: home,
      detached: true,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" }, // it lives longer than what this process was told
      stdio: ["ignore", "ignore", log, descriptorOf(socket)],
    });
    closeSync(log);
    child.on("error", () => {}); // nobody listens then, and whoever waits for an answer sees that
    child.unref();
  } finally {
    socket.close();
  }
}

/** The guardian's code: a file of this package, or where this code is in a built file, a copy from there. */
function codeOf(home: string): string {
  if (typeof __orca !== "object")
    return fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./guardian.ts" : "./guardian.js", import.meta.url));
  const file = guardianOf(home);
  writeFileSync(file, __orca.guardian, { mode: 0o600 });
  return file;
}

/** Node has no other way to hand a socket that listens to a program that isn't of its cluster module. */
function descriptorOf(socket: Server): number {
  return (socket as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
}
