import type { DescribedPipeline } from "../core/described.ts";
import { described } from "../core/described.fixture.ts";
import { queueBackfill, type Backfill, type BackfillAsked } from "./backfills.ts";
import { registerPipeline, type Registration } from "./registration.ts";
import { noteOrder } from "./note-order.ts";
import { takeQueuedRuns, type Launch } from "./start-runs.ts";
import { settleRuns } from "./settle-runs.ts";
import { testState, type TestState } from "./state.fixture.ts";

export interface TestScheduler extends TestState {
  /** Forgets all pipelines, what they did and what was done to them; runs are counted from 1 again. */
  empty(): Promise<unknown>;
  register(
    pipeline: string,
    given?: Partial<DescribedPipeline>,
    at?: string,
    more?: Partial<Registration>,
  ): Promise<void>;
  /** Queues runs for keys that aren't done, unless it is said otherwise. */
  backfill(pipeline: string, keys: readonly string[], given?: Partial<BackfillAsked>): Promise<Backfill>;
  /** All runs in order: `queued schedule lake 2024-01-01`. */
  runs(): Promise<readonly string[]>;
  take(limit?: number, at?: string): Promise<readonly Launch[]>;
  /** Notes which runs wait for others. */
  note(at?: string): Promise<number>;
  settle(at?: string): Promise<number>;
  /** Ends a run as its process would, and its steps with it; a commit of each partition is on record if a dataset is named. */
  end(
    run: number,
    status?: "succeeded" | "failed" | "cancelled",
    committing?: { dataset: string; snapshot: number },
  ): Promise<void>;
}

/** Tables, with those that refer to them. */
const KEPT = "orca.pipelines, orca.run_keys, orca.partition_state, orca.rebuilds, orca.commits, orca.actions";

export async function testScheduler(): Promise<TestScheduler> {
  const state = await testState();
  const { database, test } = state;
  return {
    ...state,
    empty: () => test.sql(`truncate ${KEPT} restart identity cascade`),
    async register(pipeline, given = {}, at = "2024-06-01T00:00:00Z", more = {}) {
      const description = described(pipeline, given);
      const now = new Date(at);
      await registerPipeline(database, {
        description,
        program: "/programs/x",
        seen: [],
        notifyUrl: undefined,
        now,
        actor: "me",
        ...more,
      });
    },
    backfill: (pipeline, keys, given = {}) =>
      queueBackfill(database, {
        pipeline,
        asked: keys.join(","),
        keys,
        isRerun: false,
        isReversed: false,
        maxRuns: undefined,
        actor: "me",
        isDry: false,
        ...given,
      }),
    async runs() {
      const rows = await test.sql("select status, trigger, pipeline, keys from orca.runs order by id");
      return (rows as { status: string; trigger: string; pipeline: string; keys: string[] }[]).map(
        (r) => `${r.status} ${r.trigger} ${r.pipeline} ${r.keys.join(",")}`,
      );
    },
    take: (limit = 100, at = "2024-06-01T00:00:00Z") =>
      takeQueuedRuns(database, { now: new Date(at), staleMs: 30_000, limit }),
    note: (at = "2024-06-01T00:00:00Z") => noteOrder(database, new Date(at), 30_000),
    settle: (at = "2024-06-01T00:00:00Z") =>
      settleRuns(database, { now: new Date(at), retryMs: 60_000, chance: () => 0 }),
    async end(run, status = "succeeded", committing) {
      if (committing !== undefined) await commit(run, committing);
      await test.sql(
        `update orca.runs set status = $2, owner = null, ended_at = clock_timestamp(),
           started_at = coalesce(started_at, clock_timestamp()) where id = $1`,
        [run, status],
      );
    },
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };

  async function commit(run: number, { dataset, snapshot }: { dataset: string; snapshot: number }): Promise<void> {
    await test.sql(
      `insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
       select id, 'load', k, 'succeeded', '0xa', '1', 1, now(), now() from orca.runs, unnest(keys) k where id = $1`,
      [run],
    );
    await test.sql(
      `insert into orca.attempts (run, step, partition, attempt, status, owner, ended_at)
       select id, 'load', k, 1, 'succeeded', gen_random_uuid(), clock_timestamp() + interval '1 s'
       from orca.runs, unnest(keys) k where id = $1`,
      [run],
    );
    await test.sql(
      `insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
       select id, 'load', k, 1, 1, $2, '/lake', $3::bigint + n - 1, 'append'
       from orca.runs, unnest(keys) with ordinality as t (k, n) where id = $1`,
      [run, dataset, snapshot],
    );
  }
}
