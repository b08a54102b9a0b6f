/** Makes a cluster: the data folder of a Postgres. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { UNFINISHED, dataOf } from "./places.ts";
import type { ServerLog } from "./server-log.ts";
import { spawnTied } from "./tied-process.ts";

/** Put into `postgresql.conf`, where they can be changed. What else there is, is Postgres's default: 128 MB of shared buffers among it. */
const SETTINGS = ["max_connections=200", "timezone=UTC", "log_timezone=UTC", "log_checkpoints=off"];

/** Only who may enter the data folder reaches the socket in it: see docs/adr/0004. */
const OPTIONS = [
  "--username=orca",
  "--auth-local=trust",
  "--auth-host=reject",
  "--encoding=UTF8",
  "--locale=C",
  "--no-instructions",
];

/**
 * Makes the cluster of a folder, if it isn't there. It is made beside its place and then put there, so that one that isn't whole
 * never is: what was begun by a guardian that was killed is removed.
 *
 * @throws Error with what initdb said in the log.
 */
export async function makeCluster(
  home: string,
  binaries: string,
  account: Account | undefined,
  log: ServerLog,
): Promise<void> {
  removeUnfinished(home);
  if (existsSync(dataOf(home))) return;
  const unfinished = join(home, `${UNFINISHED}${randomBytes(4).toString("hex")}`);
  mkdirSync(unfinished, { mode: 0o700 });
  if (account !== undefined) chownSync(unfinished, account.uid, account.gid);
  const words = [...OPTIONS, ...SETTINGS.flatMap((setting) => ["-c", setting]), `--pgdata=${unfinished}`];
  const initdb = spawnTied(join(binaries, "initdb"), words, account, [unfinished, binaries]);
  for (const stream of [initdb.stdout, initdb.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => log.write(text));
  const [code] = (await once(initdb, "close")) as [number | null];
  if (code !== 0) {
    removeUnfinished(home);
    throw new Error("initdb failed");
  }
  renameSync(unfinished, dataOf(home));
  sync(home);
  removeUnfinished(home); // of an initdb that was still ending when this one began
}

function removeUnfinished(home: string): void {
  for (const name of readdirSync(home).filter((name) => name.startsWith(UNFINISHED))) {
    try {
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 10 });
    } catch {
      // its initdb, which has been told to end, still writes: it is removed later
    }
  }
}

/** So that the new name outlives a power cut. */
function sync(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
