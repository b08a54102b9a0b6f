/** Reaches the guardian of a folder, and has one started if there is none. */
import { accessSync, constants, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { binariesFolder } from "./binaries.ts";
import { claim, connect, highestNumber } from "./guardian-socket.ts";
import { launchGuardian } from "./launch.ts";
import { Visit, type Answer, type Wish } from "./messages.ts";
import { dataOf, isOurs, logOf } from "./places.ts";
import { shortPath } from "./short-path.ts";

/** Making a cluster takes a second; recovery after a crash of the machine longer. */
const ANSWER_MS_MAX = 120_000;
/** How often a guardian may end while it is asked, before that is a fault. */
const TRIES_MAX = 100;
/** How many guardians one caller starts for that. */
const LAUNCHES_MAX = 5;

/** A folder in which a server may be. */
export interface Home {
  /** Its real path. */
  readonly path: string;
  /** By which sockets in it are reached. */
  readonly short: string;
}

/** What the guardian answered, on a connection that is open. */
export interface Joined {
  readonly visit: Visit;
  readonly answer: Exclude<Answer, { readonly state: "failed" }>;
}

/** @param make whether it is made, if it isn't there. @throws Error with a sentence. */
export function homeAt(folder: string, { make }: { readonly make: boolean }): Home {
  try {
    // as root, Postgres's account must get through it: what is in it is closed to others all the same
    if (make) mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const path = realpathSync(folder);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return { path, short: shortPath(path) };
  } catch (cause) {
    throw new Error(`Postgres can't use the folder ${folder}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * The URL of the server in a folder. The host is the folder with its socket; `localhost` is there for programs that want a URL to have one.
 * There is no password: only who may enter the data folder reaches the socket.
 */
export function urlOf(home: Home): string {
  return `postgres://orca@localhost/postgres?host=${encodeURIComponent(dataOf(home.short))}`;
}

/** Asks the guardian of a folder. @returns undefined if there is none. */
export async function askGuardian(home: Home, wish: Wish): Promise<Joined | undefined> {
  const visit = await reach(home, wish, highestNumber(home.path));
  return visit && (await joined(home, visit));
}

/**
 * Asks the guardian of a folder, and starts one if there is none.
 *
 * @throws Error with a sentence if the server can't be started.
 */
export async function joinGuardian(home: Home, wish: Wish, lingerMs: number): Promise<Joined> {
  let launches = 0;
  for (let tries = 0; tries < TRIES_MAX && launches < LAUNCHES_MAX; tries++) {
    const number = highestNumber(home.path);
    const visit = await reach(home, wish, number);
    const found = visit && (await joined(home, visit));
    if (found !== undefined) return found;
    if (visit !== undefined) continue; // it was ending
    refuseForeign(home.path);
    const binaries = binariesFolder();
    const socket = await claim(home.short, number + 1).catch((cause: Error) => {
      throw new Error(`no socket can be made in ${home.path}: ${cause.message}`, { cause });
    });
    if (socket === undefined) continue; // someone else starts it
    launchGuardian(socket, { home: home.path, number: number + 1, binaries, lingerMs });
    launches++;
  }
  throw new Error(`Postgres doesn't stay up in ${home.path}: see ${logOf(home.path)}`);
}

async function reach(home: Home, wish: Wish, number: number): Promise<Visit | undefined> {
  if (number === 0) return undefined;
  const socket = await connect(home.short, number).catch((cause: Error) => {
    throw new Error(`the server in ${home.path} can't be reached: ${cause.message}`, { cause });
  });
  return socket && new Visit(socket, wish);
}

async function joined(home: Home, visit: Visit): Promise<Joined | undefined> {
  const answer = await visit.answer(ANSWER_MS_MAX);
  if (answer === "ended") return undefined;
  if (answer === "silent")
    throw new Error(
      `the server in ${home.path} hasn't answered for ${ANSWER_MS_MAX / 1000} s: see ${logOf(home.path)}`,
    );
  if (answer.state === "failed") throw new Error(answer.sentence);
  return { visit, answer };
}

/** So that a folder that was meant for something else stays as it is. */
function refuseForeign(home: string): void {
  const names = readdirSync(home);
  if (names.includes("data") || names.every(isOurs)) return;
  throw new Error(
    names.includes("PG_VERSION")
      ? `${home} is the data folder of another Postgres: give a folder of its own for Orca's`
      : `${home} has other things in it, such as ${names.find((name) => !isOurs(name))}: give an empty folder, or one that isn't there`,
  );
}
