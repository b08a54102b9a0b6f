/** One run: how it stands, where it came from, and what its pipeline's steps are. */
import type { Locations } from "../../core/code-locations.ts";
import { OrcaError } from "../../core/errors.ts";
import type { Database } from "../database.ts";
import { RUN_LINE, type RunLine } from "./run-line.ts";
import type { RunStep } from "./run-steps.ts";

export interface RunHead extends RunLine {
  /** In the order of their names, if there are few. */
  readonly keys: readonly string[] | null;
  readonly starts: number;
  readonly allowsNewCode: boolean;
  readonly repository: string | null;
  readonly dirty: boolean | null;
  /** Where its code is declared; null if that isn't known. */
  readonly locations: Locations | null;
  /** Whether its code is what its pipeline has by now; null if that isn't registered. */
  readonly isNewestCode: boolean | null;
  /** Where the log of one of its attempts is, if there is one. */
  readonly log: string | null;
  /** When what it did was removed, save what lineage needs. */
  readonly prunedAt: Date | null;
  /** What time of the schedule it is of. */
  readonly firedAt: Date | null;
  /** The snapshots that started it, of a sensor: the first of them. */
  readonly causes: readonly { readonly dataset: string; readonly snapshot: string }[];
  /** In the order that the pipeline has them in; of one that isn't registered, as they were begun. */
  readonly steps: readonly RunStep[];
}

const CAUSES_MAX = 10;
/** Of more partitions, none is shown by itself. */
const FEW_PARTITIONS = 60;

/** @throws OrcaError `unknown-run` */
export async function readRunHead(
  database: Database,
  id: number,
  { now, staleMs }: { readonly now: Date; readonly staleMs: number },
): Promise<RunHead> {
  type More = Omit<RunHead, keyof RunLine | "steps"> & { readonly described: readonly RunStep[] };
  const [[line], [more], steps] = await Promise.all([
    database.query<RunLine>(LINE, [id, staleMs / 1000, now]),
    database.query<More>(MORE, [id, CAUSES_MAX]),
    database.query<{ name: string; kind: RunStep["kind"] }>(STEPS, [id]),
  ]);
  if (line === undefined || more === undefined) throw new OrcaError("unknown-run", `there is no run ${id}`);
  const { described, ...rest } = more;
  return { ...line, ...rest, steps: stepsOf(described, steps) };
}

/** Those of the run's code, as far as they are known by the pipeline's description, which may be of other code. */
function stepsOf(
  described: readonly RunStep[],
  steps: readonly { readonly name: string; readonly kind: RunStep["kind"] }[],
): readonly RunStep[] {
  const names = new Set(steps.map((step) => step.name));
  const known = described
    .filter((step) => names.has(step.name))
    .map(({ name, kind, after }) => ({ name, kind, after: after.filter((one) => names.has(one)) }));
  const isKnown = new Set(known.map((step) => step.name));
  return [...known, ...steps.filter((step) => !isKnown.has(step.name)).map((step) => ({ ...step, after: [] }))];
}

const LINE = {
  name: "page-run-line",
  text: `select ${RUN_LINE({ run: "(select * from orca.runs where id = $1)", staleSeconds: "$2", now: "$3" })}`,
};
const MORE = {
  name: "page-run-more",
  text: `
    select case when cardinality(r.keys) <= ${FEW_PARTITIONS} then (select array_agg(distinct k order by k) from unnest(r.keys) k) end as keys,
      r.starts, r.allows_new_code as "allowsNewCode", v.repository, v.dirty, v.locations, v.id = p.version as "isNewestCode",
      r.pruned_at as "prunedAt",
      (select log from orca.attempts where run = r.id order by step, partition, attempt limit 1) as log,
      (select at from orca.fires where run = r.id limit 1) as "firedAt",
      coalesce((select jsonb_agg(jsonb_build_object('dataset', dataset, 'snapshot', snapshot::text)) from (
        select dataset, snapshot from orca.run_causes where run = r.id order by dataset, snapshot limit $2) c), '[]') as causes,
      coalesce(p.description->'steps', '[]') as described
    from orca.runs r join orca.versions v on v.id = r.version join orca.pipelines p on p.name = r.pipeline where r.id = $1`,
};
/** Which are gather steps is told by their rows, if they have one. */
const STEPS = {
  name: "page-run-steps",
  text: `
    select h.name, case when exists (select from orca.steps s where s.run = r.id and s.step = h.name collate "C" and s.partition = '')
      then 'gather' else 'mapped' end as kind
    from orca.runs r join orca.versions v on v.id = r.version cross join jsonb_object_keys(v.step_hashes) as h (name)
    where r.id = $1 order by (
      select started_at from orca.steps s where s.run = r.id and s.step = h.name collate "C"
      order by partition limit 1) nulls last, h.name`,
};
