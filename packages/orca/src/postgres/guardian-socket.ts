/**
 * Who is the guardian of a folder: at most one process at any time, whatever is killed when.
 *
 * A guardian listens on a socket, which the kernel closes with its process. That a socket's file is there says nothing, and one that nobody
 * listens on can't be replaced safely: two that find it could each remove the other's new one. So sockets are numbered, and numbers only
 * grow: `guardian-8.sock` is made, by a link that fails if it is there, after nobody was found listening on `guardian-7.sock`, the
 * highest; and a number that nobody listens on stays dead, since no file is listened on twice. The highest number's file is never removed.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, linkSync, readdirSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SOCKET } from "./places.ts";

const NUMBERED = new RegExp(`^${SOCKET}(\\d+)\\.sock$`);

const AGAIN_MS = 20;

/** The highest number of a socket in a folder; 0 if there is none. */
export function highestNumber(home: string): number {
  return Math.max(0, ...readdirSync(home).map((name) => Number(NUMBERED.exec(name)?.[1] ?? 0)));
}

/** @param path of the folder, short enough for sockets. @returns undefined if nobody listens on that number any more. */
export async function connect(path: string, number: number): Promise<Socket | undefined> {
  const socket = createConnection(socketOf(path, number));
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED" || code === "ENOENT") return undefined;
    if (code !== "EAGAIN" && code !== "ECONNRESET") throw error;
    await setTimeout(AGAIN_MS); // more are waiting than its queue has room for; or it has just ended
    return await connect(path, number);
  }
}

/**
 * Takes a number, on which nobody may have been found listening before.
 *
 * The server must be given to the guardian's process before anything is awaited, and closed here: so no connection is taken in between.
 *
 * @param path of the folder, short enough for sockets.
 * @returns undefined if someone else is ahead.
 */
export async function claim(path: string, number: number): Promise<Server | undefined> {
  const server = createServer();
  const unnumbered = join(path, `${SOCKET}${randomBytes(4).toString("hex")}`);
  await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(unnumbered, resolve));
  const isTaken = take(unnumbered, path, number);
  if (isTaken) return server;
  server.close();
  return undefined;
}

function take(unnumbered: string, path: string, number: number): boolean {
  try {
    chmodSync(unnumbered, 0o600); // whoever may connect may stop the server
    linkSync(unnumbered, socketOf(path, number));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") return false; // taken; or removed by the guardian that took it
    throw error;
  }
  // whoever was slow to come here may have taken a number that had been taken before, and removed for a higher one
  if (highestNumber(path) === number) return true;
  rmSync(socketOf(path, number), { force: true });
  return false;
}

/** Removes the sockets of those that were guardians before. */
export function removeOldSockets(home: string, number: number): void {
  for (const name of readdirSync(home))
    if (name.startsWith(SOCKET) && Number(NUMBERED.exec(name)?.[1] ?? 0) < number)
      rmSync(join(home, name), { force: true });
}

function socketOf(path: string, number: number): string {
  return join(path, `${SOCKET}${number}.sock`);
}
