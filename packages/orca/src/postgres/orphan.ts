/** Ends a server whose guardian was killed. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 20;
/** After which it is ended at once, and recovers when it is next started. */
const FAST_MS_MAX = 10_000;
const IMMEDIATE_MS_MAX = 5_000;

/**
 * Ends the server that runs in a data folder. Only the folder's guardian may call this.
 *
 * Postgres takes any process that has the number in its `postmaster.pid` for a server that runs, though after a crash of the machine it may be
 * anyone's. So whether it is one is found out here, and a file that names something else is removed.
 */
export async function endOrphan(data: string): Promise<void> {
  const file = join(data, "postmaster.pid");
  const pid = pidIn(file);
  if (pid === undefined) return;
  if (await endServer(pid, data)) return;
  throw new Error(`a Postgres that runs in ${data} doesn't end: kill the process ${pid}`);
}

async function endServer(pid: number, data: string): Promise<boolean> {
  for (const [signal, forMs] of [
    ["SIGINT", FAST_MS_MAX],
    ["SIGQUIT", IMMEDIATE_MS_MAX],
  ] as const) {
    for (let waited = 0; waited < forMs; waited += POLL_MS) {
      if (!isServerIn(pid, data)) {
        rmSync(join(data, "postmaster.pid"), { force: true });
        return true;
      }
      if (waited === 0) send(pid, signal);
      await setTimeout(POLL_MS);
    }
  }
  return false;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has just ended
  }
}

function pidIn(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined; // there is none
  }
}

/** Whether a process is a server in that data folder: it works there, or where that can't be seen was started with it. */
function isServerIn(pid: number, data: string): boolean {
  try {
    return process.platform === "linux"
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(`-D ${data}`);
  } catch {
    return false; // there is no such process, or it is another user's
  }
}
