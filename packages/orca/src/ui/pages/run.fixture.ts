import type { TestUi } from "../ui.fixture.ts";

/** A run whose steps `load` and then `sum`, a gather step, are as they are said to be. */
export async function addRun(
  { test }: Pick<TestUi, "test">,
  given: {
    readonly pipeline?: string;
    readonly status?: string;
    readonly keys: readonly string[];
    /** Of each key that was reached, how its step stands; of "" the gather step. */
    readonly steps: Readonly<Record<string, string>>;
    readonly log?: (partition: string) => string | undefined;
  },
): Promise<number> {
  const { pipeline = "lake", status = "running", keys, steps, log = () => undefined } = given;
  const hasEnded = status !== "running";
  const [run] = await test.sql<{ id: number }>(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, owner, started_at, ended_at)
     values (gen_random_uuid(), $1, (select max(id) from orca.versions where pipeline = $1), $2, 'manual', $3, 1,
       case when $4 then null else gen_random_uuid() end, now() - interval '1 minute', case when $4 then now() end)
     returning id::float8 as id`,
    [pipeline, status, keys, hasEnded],
  );
  const id = run!.id;
  await test.sql("insert into orca.heartbeats (run, at) values ($1, now())", [id]);
  const parts = Object.keys(steps);
  const values = [id, parts, Object.values(steps), parts.map((part) => log(part) ?? null)];
  await test.sql(
    `insert into orca.steps (run, step, partition, status, hash, input, output, attempts, started_at, ended_at)
     select $1, case when p = '' then 'sum' else 'load' end, p, s, '0xa', '"' || p || '"', case when s = 'succeeded' then '1' end,
       case when s = 'skipped' then 0 else 1 end, case when s <> 'skipped' then now() - interval '50 s' end,
       case when s <> 'running' then now() - interval '20 s' end
     from unnest($2::text[], $3::text[]) as t (p, s) where $4::text[] is not null`,
    values,
  );
  await test.sql(
    `insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at, error, log)
     select $1, case when p = '' then 'sum' else 'load' end, p, 1, s, gen_random_uuid(), now() - interval '50 s',
       case when s <> 'running' then now() - interval '20 s' end, case when s = 'failed' then 'Error: no rows in ' || p end, l
     from unnest($2::text[], $3::text[], $4::text[]) as t (p, s, l) where s <> 'skipped'`,
    values,
  );
  return id;
}

/** What a pipeline of these two steps describes. */
export const LOAD_AND_SUM = {
  steps: [
    { name: "load", kind: "mapped", after: [], hash: "0xa", reads: [], writes: [] },
    { name: "sum", kind: "gather", after: ["load"], hash: "0xb", reads: [], writes: [] },
  ],
} as const;
