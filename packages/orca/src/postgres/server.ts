/** A Postgres that runs. */
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Account } from "./account.ts";
import { dataOf } from "./places.ts";
import type { ServerLog } from "./server-log.ts";
import { spawnTied } from "./tied-process.ts";

/**
 * What nobody may change: no network, the socket in the data folder, which is a relative path as sockets' paths must be short, and that what
 * is committed stays.
 */
const SETTINGS = [
  "listen_addresses=",
  "unix_socket_directories=.",
  "unix_socket_permissions=0700",
  "port=5432",
  "fsync=on",
  "full_page_writes=on",
  "synchronous_commit=on",
  "log_destination=stderr",
  "logging_collector=off",
];

const READY = /database system is ready to accept connections/;
/** A server that was killed has children that see it a moment later. */
const IN_USE = /pre-existing shared memory block/;
const TRIES_MAX = 100;
const TRY_AGAIN_MS = 50;
const STOP_MS_MAX = 30_000;

export interface Server {
  /** Settles when it has ended, however. */
  readonly ended: Promise<unknown>;
  /** Ends it: open transactions are rolled back. It may be called when it has ended. */
  stop(): Promise<void>;
}

/** @throws Error with what Postgres said in the log. */
export async function startServer(
  home: string,
  binaries: string,
  account: Account | undefined,
  log: ServerLog,
): Promise<Server> {
  for (let tries = 0; ; tries++) {
    log.clear();
    const server = await tryToStart(home, binaries, account, log);
    if (typeof server === "object") return server;
    const mayStartLater = server === "killed" || log.lines.some((line) => IN_USE.test(line));
    if (tries === TRIES_MAX || !mayStartLater) throw new Error("Postgres ended");
    await setTimeout(TRY_AGAIN_MS);
  }
}

async function tryToStart(
  home: string,
  binaries: string,
  account: Account | undefined,
  log: ServerLog,
): Promise<Server | "killed" | "failed"> {
  const words = ["-D", dataOf(home), ...SETTINGS.flatMap((setting) => ["-c", setting])];
  const child = spawnTied(join(binaries, "postgres"), words, account, [dataOf(home), binaries]);
  const ended = once(child, "close") as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const ready = new Promise<true>((resolve) => {
    child.stdout.resume();
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log.write(text);
      if (log.lines.some((line) => READY.test(line))) resolve(true);
    });
  });
  const first = await Promise.race([ready, ended]);
  if (first !== true) return first[1] === null ? "failed" : "killed";
  return {
    ended,
    stop: async () => {
      child.kill("SIGINT");
      const late = globalThis.setTimeout(() => child.kill("SIGQUIT"), STOP_MS_MAX);
      await ended;
      clearTimeout(late);
    },
  };
}
