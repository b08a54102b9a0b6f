/** What people and schedulers did, and to what. */
import type pg from "pg";

export interface Action {
  /** Who: a user's name, or what the process runs as. */
  readonly actor: string;
  readonly action: string;
  readonly pipeline?: string;
  readonly run?: number;
  readonly detail?: object;
}

/** Records an action in the transaction that does it. */
export async function recordAction(
  client: pg.ClientBase,
  { actor, action, pipeline, run, detail }: Action,
): Promise<void> {
  await client.query(ACTION, [
    actor,
    action,
    pipeline ?? null,
    run ?? null,
    detail === undefined ? null : JSON.stringify(detail),
  ]);
}

const ACTION = "insert into orca.actions (actor, action, pipeline, run, detail) values ($1, $2, $3, $4, $5)";
