/** Running again what a run has done. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { DescribedPipeline } from "../core/described.ts";
import { OrcaError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { recordAction } from "./actions.ts";
import { checkNotPruned, findRun } from "./claim.ts";
import type { Database } from "./database.ts";
import { insertManualRun } from "./manual-runs.ts";
import { lockRegistered } from "./registered.ts";

export interface RerunAsked {
  readonly run: number;
  /** All by default. Those that follow them are run again too. */
  readonly steps?: readonly string[];
  /** Of which the mapped steps are run again: all of the run's by default. */
  readonly partitions?: readonly string[];
  /** Whether outputs of other code than the pipeline's may be taken over. */
  readonly allowsNewCode: boolean;
  readonly actor: string;
  /** A UUID of the caller's: asked for again with the same, it is the same run. */
  readonly token?: string;
}

/**
 * Queues a run that runs steps of a run that has ended again, for some of its partitions. It is a run of its own: in the one that there was, a step would read
 * what it read and find its commits made. What isn't to be run again is taken over from there, with its outputs; what hadn't succeeded there is
 * run too. A run with gather steps is run again over all its partitions, which they are about; others over the chosen ones.
 *
 * @returns its number.
 * @throws OrcaError `unknown-run`; `unknown-pipeline` if its pipeline isn't registered; `run-owned` if it hasn't ended; `other-code` if outputs to be taken over
 * are of other code and that isn't allowed; `usage` and `invalid-key` if it has no such step or partition.
 */
export async function queueRerun(database: Database, asked: RerunAsked): Promise<number> {
  const { run: from, steps, partitions, allowsNewCode, actor, token = randomUUID() } = asked;
  return await database.transaction(async (client) => {
    const pipeline = (await findRun(client, from))?.pipeline;
    if (pipeline === undefined) throw new OrcaError("unknown-run", `there is no run ${from}`);
    const description = await lockRegistered(client, pipeline);
    await client.query("select from orca.runs where id = $1 for share", [from]);
    const found = (await findRun(client, from))!;
    checkNotPruned(from, found);
    if (found.status === "queued" || found.status === "running")
      throw new OrcaError("run-owned", `run ${from} hasn't ended: cancel it, or wait for its end`);
    const chosen = chosenPartitions(from, found.keys, partitions);
    const again = withFollowers(description, checkedSteps(from, description, steps));
    const keys = description.steps.some((s) => s.kind === "gather") ? found.keys : chosen;
    const taken = { from, again, chosen, keys };
    if (!allowsNewCode) await checkCode(client, description, taken);
    const { id, isNew } = await insertManualRun(client, pipeline, keys, token);
    if (!isNew) return id;
    await client.query(TAKE_OVER, [...valuesOf(taken), id]);
    const detail = { steps: steps ?? null, partitions: partitions?.length ?? null, allowsNewCode };
    await recordAction(client, { actor, action: "rerun", pipeline, run: from, detail: { as: id, ...detail } });
    await recordAction(client, { actor, action: "start", pipeline, run: id, detail: { rerunOf: from, ...detail } });
    return id;
  });
}

function chosenPartitions(
  run: number,
  keys: readonly string[],
  partitions: readonly string[] = keys,
): readonly string[] {
  const has = new Set(keys);
  const other = partitions.find((key) => !has.has(key));
  if (other !== undefined) throw new OrcaError("invalid-key", `run ${run} has no partition '${other}'`);
  if (partitions.length === 0) throw new OrcaError("invalid-key", `no partitions of run ${run} are given`);
  return [...new Set(partitions)].toSorted();
}

function checkedSteps(
  run: number,
  { pipeline, steps: all }: DescribedPipeline,
  steps: readonly string[] = all.map((s) => s.name),
): readonly string[] {
  const names = all.map((s) => s.name);
  const other = steps.find((step) => !names.includes(step));
  if (steps.length === 0) throw new OrcaError("usage", `no steps of run ${run} are given`);
  if (other === undefined) return steps;
  const meant = nearest(other, names);
  const question = meant === undefined ? "" : `: did you mean '${meant}'?`;
  throw new OrcaError("usage", `'${pipeline}', of which run ${run} is, has no step '${other}'${question}`);
}

/** Steps are in an order in which each comes after those that it follows. */
function withFollowers({ steps }: DescribedPipeline, given: readonly string[]): readonly string[] {
  const found = new Set(given);
  for (const { name, after } of steps) if (after.some((step) => found.has(step))) found.add(name);
  return [...found];
}

/** What is taken over: of the run, all that succeeded of its keys, save what is run again of the chosen ones and of gather steps. */
interface TakenOver {
  readonly from: number;
  readonly again: readonly string[];
  readonly chosen: readonly string[];
  readonly keys: readonly string[];
}

function valuesOf({ from, again, chosen, keys }: TakenOver): readonly unknown[] {
  return [from, again, chosen, keys];
}

const IS_TAKEN_OVER = `
  s.run = $1 and s.status = 'succeeded' and (s.partition = '' or s.partition = any ($4))
    and not (s.step = any ($2) and (s.partition = '' or s.partition = any ($3)))`;

async function checkCode(client: pg.ClientBase, { steps }: DescribedPipeline, taken: TakenOver): Promise<void> {
  const { rows } = await client.query<{ step: string; was: string; is: string | null }>(OTHER_CODE, [
    ...valuesOf(taken),
    steps.map((s) => s.name),
    steps.map((s) => s.hash),
  ]);
  const [other] = rows;
  if (other === undefined) return;
  const { step, was, is } = other;
  throw new OrcaError(
    "other-code",
    `step '${step}' of run ${taken.from} was of other code (${was}; now ${is ?? "there is no such step"}): run it again too, or allow new code`,
  );
}

const OTHER_CODE = `
  select s.step, s.hash as was, c.hash as is from orca.steps s
  left join unnest($5::text[], $6::text[]) as c (step, hash) on c.step = s.step
  where ${IS_TAKEN_OVER} and s.hash is distinct from c.hash order by s.step, s.partition limit 1`;
/** Without attempts: there was none in this run. */
const TAKE_OVER = `
  insert into orca.steps (run, step, partition, status, hash, input, output, attempts, started_at, ended_at)
  select $5, s.step, s.partition, 'succeeded', s.hash, s.input, s.output, 1, now(), now()
  from orca.steps s where ${IS_TAKEN_OVER}`;
