/** A lake that real programs keep, and others write to: what is in its tables at the end must be right. */
import { type Catalog, openCatalog } from "@orcajs/iceberg";
import path from "node:path";
import type { ChaosDatabase } from "../../database.ts";
import type { Programs, Subject } from "../subject.ts";
import { brokenRows } from "./rows.ts";

const DAYS = Array.from({ length: 5 }, (_, i) => `2024-01-0${i + 1}`);

/** So few are changed by others that runs of a day meet. */
const CHANGED_DAYS = 2;

export interface LakeOptions {
  readonly programs: Programs;
  /** The lake's, which isn't there yet. */
  readonly folder: string;
  readonly seed: number;
}

export class Lake implements Subject {
  readonly steps = 14;
  readonly minutesMax = 1_200;
  readonly staleMs = 15_000;
  readonly senseMs = 5_000;
  readonly env: Readonly<Record<string, string>>;
  readonly programs: Programs;
  readonly backfills = [["filling", DAYS]] as const;
  readonly runOnce = ["filling", "labelling"];
  readonly cancelled = ["taking", "filling"];
  readonly rebuilt = ["kept.taken", "kept.sums"];
  readonly #catalog: Catalog;
  /** What others have written. */
  readonly #written: { readonly pipeline: string; readonly dataset: string; readonly snapshot: string }[] = [];

  private constructor({ programs, folder, seed }: LakeOptions) {
    this.programs = programs;
    this.#catalog = openCatalog(folder);
    this.env = {
      ORCA_WAREHOUSE: folder,
      ORCA_LOGS: path.join(folder, "../logs"),
      ORCA_STALE_SECONDS: String(this.staleMs / 1_000),
      ORCA_GRACE_SECONDS: "0.2",
      ORCA_SAMPLE_SECONDS: "1",
      CHAOS_TROUBLE: String(seed),
    };
  }

  static async create(options: LakeOptions): Promise<Lake> {
    const lake = new Lake(options);
    await lake.#catalog.createNamespace("kept");
    await lake.#catalog.createTable("kept.changes", { columns: { day: "date", n: "long" } });
    await lake.#catalog.createTable("kept.names", { columns: { name: "string" } });
    return lake;
  }

  /** A day is changed, and there is a name more. */
  async others(): Promise<void> {
    const n = this.#written.length / 2;
    const day = DAYS[n % CHANGED_DAYS]!;
    await this.#write("adding", "kept.changes", { day, n: 1_000 + n }, { "orca.partitions": day });
    await this.#write("labelling", "kept.names", { name: `name-${n}` }, {});
  }

  async #write(
    pipeline: string,
    dataset: string,
    row: Readonly<Record<string, string | number>>,
    properties: Readonly<Record<string, string>>,
  ): Promise<void> {
    const table = await this.#catalog.loadTable(dataset);
    await table.append([row], { properties });
    this.#written.push({ pipeline, dataset, snapshot: String(table.scan().snapshot!["snapshot-id"]) });
  }

  /** What sensors haven't seen, and names that are to be asked for. */
  async left(database: ChaosDatabase): Promise<readonly string[]> {
    const rows = await database.sql<{ what: string }>(UNSEEN, [
      this.#written.map((w) => w.pipeline),
      this.#written.map((w) => w.dataset),
      this.#written.map((w) => w.snapshot),
    ]);
    return rows.map(({ what }) => what);
  }

  async broken(database: ChaosDatabase): Promise<readonly string[]> {
    const changes = this.#written.filter(({ pipeline }) => pipeline === "adding");
    const uncaused = await database.sql(NOT_ONE_RUN, [changes.map(({ snapshot }) => snapshot)]);
    const failed = await database.sql(FAILED);
    return [
      ...uncaused.map((row) => `a snapshot of others started no run, or several: ${JSON.stringify(row)}`),
      ...failed.map((row) => `a run failed for good: ${JSON.stringify(row)}`),
      ...(await brokenRows(this.#catalog, database)),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#catalog[Symbol.asyncDispose]();
  }
}

const UNSEEN = `
  select pipeline || ' has not seen ' || dataset || '@' || snapshot as what
  from unnest($1::text[], $2::text[], $3::bigint[]) as t (pipeline, dataset, snapshot)
  where not exists (select from orca.seen_snapshots s
    where s.pipeline = t.pipeline and s.dataset = t.dataset and s.snapshot = t.snapshot)
  union all select name || ' is to be asked for its keys' from orca.pipelines where keys_changed_at is not null`;
const NOT_ONE_RUN = `
  select snapshot::text, array(select c.run from orca.run_causes c join orca.runs r on r.id = c.run
    where r.pipeline = 'adding' and c.dataset = 'kept.changes' and c.snapshot = t.snapshot) as runs
  from unnest($1::bigint[]) as t (snapshot)
  where 1 <> (select count(*) from orca.run_causes c join orca.runs r on r.id = c.run
    where r.pipeline = 'adding' and c.dataset = 'kept.changes' and c.snapshot = t.snapshot)`;
const FAILED = `
  select r.id::int, r.pipeline, r.keys, r.trigger, coalesce(r.error, (
    select a.error from orca.attempts a where a.run = r.id and a.error is not null order by a.started_at desc limit 1)) as error
  from orca.runs r where r.status = 'failed'`;
