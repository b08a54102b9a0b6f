/** Runs that a person has a scheduler start. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { partitionsOf } from "../core/keys-across.ts";
import { checkedPartitions } from "../core/partition-list.ts";
import { recordAction } from "./actions.ts";
import type { Database } from "./database.ts";
import { lockRegistered } from "./registered.ts";

export interface RunAsked {
  readonly pipeline: string;
  readonly keys: readonly string[];
  readonly actor: string;
  /** A UUID of the caller's: asked for again with the same, it is the same run. By default another one each time. */
  readonly token?: string;
}

/**
 * Queues a run over partitions, done or not. As a person asked for it, it isn't started again when it fails.
 *
 * @returns its number.
 * @throws OrcaError `unknown-pipeline`; `invalid-key` on what isn't a partition of the pipeline's, or on none.
 */
export async function queueRun(
  database: Database,
  { pipeline, keys, actor, token = randomUUID() }: RunAsked,
): Promise<number> {
  return await database.transaction(async (client) => {
    const { partitions } = await lockRegistered(client, pipeline);
    const checked = checkedPartitions(pipeline, partitionsOf(partitions), keys);
    const { id, isNew } = await insertManualRun(client, pipeline, checked, token);
    if (isNew)
      await recordAction(client, { actor, action: "start", pipeline, run: id, detail: { keys: checked.length } });
    return id;
  });
}

/** Puts a run of a pipeline's code into the queue, under the lock on the pipeline's row. */
export async function insertManualRun(
  client: pg.ClientBase,
  pipeline: string,
  keys: readonly string[],
  token: string,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const { rowCount } = await client.query(INSERT, [token, pipeline, keys]);
  const { rows } = await client.query<{ id: number }>("select id::float8 as id from orca.runs where token = $1", [
    token,
  ]);
  await client.query("select pg_notify('orca', 'queue:')");
  return { id: rows[0]!.id, isNew: rowCount === 1 };
}

const INSERT = `
  insert into orca.runs (token, pipeline, version, status, trigger, keys)
  select $1, name, version, 'queued', 'manual', $3 from orca.pipelines where name = $2 on conflict (token) do nothing`;
