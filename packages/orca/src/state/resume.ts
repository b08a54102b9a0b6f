/** Having a scheduler go on with a run that has stopped. */
import { OrcaError } from "../core/errors.ts";
import { recordAction } from "./actions.ts";
import { checkStopped, findRun } from "./claim.ts";
import type { Database } from "./database.ts";
import { advanceRebuilds, reopenRebuild } from "./rebuilds.ts";
import { lockRegistered } from "./registered.ts";
import { LOCK, LOSE, LOST } from "./run-rows.ts";

export interface ResumeAsked {
  readonly run: number;
  /** Whether it may go on with other code than it was begun by. */
  readonly allowsNewCode: boolean;
  /** How old its heartbeat must be for a process to count as gone. */
  readonly staleMs: number;
  readonly actor: string;
}

/**
 * Queues a run that failed, was cancelled or has no process any more, to run again all of it that hasn't succeeded. One that is queued already, to be tried
 * again later, doesn't wait any more. The rebuild that it had stopped goes on with it.
 *
 * @throws OrcaError `unknown-run`; `unknown-pipeline` if its pipeline isn't registered; `run-owned` while its process is alive; `other-code` if the
 * pipeline's code is another by now and isn't allowed; `usage` if all of it has succeeded.
 */
export async function resumeRun(
  database: Database,
  { run: id, allowsNewCode, staleMs, actor }: ResumeAsked,
): Promise<void> {
  await database.transaction(async (client) => {
    const pipeline = (await findRun(client, id))?.pipeline;
    if (pipeline === undefined) throw new OrcaError("unknown-run", `there is no run ${id}`);
    const { hash } = await lockRegistered(client, pipeline); // before the run, as whoever starts or registers does
    await client.query(LOCK, [id]);
    const found = (await findRun(client, id))!;
    checkStopped(id, found, { staleMs, hash, allowsNewCode });
    await client.query(LOSE, [id, LOST]);
    await client.query(QUEUE, [id, allowsNewCode]);
    if (found.rebuild !== null) {
      await reopenRebuild(client, found.rebuild);
      await advanceRebuilds(client, [found.rebuild]);
    }
    await recordAction(client, { actor, action: "resume", pipeline, run: id, detail: { allowsNewCode } });
    await client.query("select pg_notify('orca', 'queue:')");
  });
}

const QUEUE = `
  update orca.runs set status = 'queued', owner = null, launch = null, ended_at = null, settled_at = null, error = null,
    cancel_asked_at = null, not_before = null, held_back = null, allows_new_code = $2
  where id = $1`;
