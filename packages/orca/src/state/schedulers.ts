/** The schedulers that there are. */
import type { Database } from "./database.ts";

export interface SchedulerProcess {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
}

/** Notes that a scheduler is at work, and forgets those that haven't been for a day. */
export async function noteScheduler(database: Database, { id, host, pid }: SchedulerProcess): Promise<void> {
  await database.query(NOTE, [id, host, pid]);
}

/** The one that was at work last, or undefined if there was none. */
export async function lastScheduler(
  database: Database,
): Promise<(Omit<SchedulerProcess, "id"> & { readonly seenAt: Date }) | undefined> {
  const [row] = await database.query<{ host: string; pid: number; seenAt: Date }>(LAST, []);
  return row;
}

const NOTE = {
  name: "note-scheduler",
  text: `
    with gone as (delete from orca.schedulers where seen_at < clock_timestamp() - interval '1 day')
    insert into orca.schedulers (id, host, pid) values ($1, $2, $3)
    on conflict (id) do update set seen_at = clock_timestamp()`,
};
const LAST = {
  name: "last-scheduler",
  text: `select host, pid, seen_at as "seenAt" from orca.schedulers order by seen_at desc limit 1`,
};
