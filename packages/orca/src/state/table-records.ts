/** What a run's attempts read and make of tables, in Postgres. */
import type { Snapshot } from "../core/ctx.ts";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId } from "../core/journal.ts";
import type { TableCommit, TableRead, TableRecords } from "../core/table-records.ts";
import type { Database } from "./database.ts";

export class PostgresTableRecords implements TableRecords {
  readonly #database: Database;
  readonly #run: { readonly id: number; readonly owner: string };

  constructor(database: Database, run: { readonly id: number; readonly owner: string }) {
    this.#database = database;
    this.#run = run;
  }

  /** @throws OrcaError `run-lost` if another process has the run. */
  async read({ step, partition, attempt }: AttemptId, read: TableRead): Promise<Snapshot | undefined> {
    const { dataset, location, snapshot } = read;
    const { id, owner } = this.#run;
    const values = [id, owner, step, partition ?? "", attempt, dataset, location, snapshot?.toString() ?? null];
    const [row] = await this.#database.query<{ snapshot: string | null }>(READ, values);
    if (row === undefined) throw lost(id);
    return row.snapshot === null ? undefined : BigInt(row.snapshot);
  }

  /** @throws OrcaError `run-lost` if another process has the run. */
  async committed({ step, partition, attempt }: AttemptId, commit: TableCommit): Promise<void> {
    const { number, dataset, location, snapshot, operation, code = null } = commit;
    const { rowsAdded = null, rowsTotal = null } = commit;
    const { id, owner } = this.#run;
    const of = [id, owner, step, partition ?? "", attempt, number];
    const what = [dataset, location, snapshot.toString(), operation, code, rowsAdded, rowsTotal];
    const rows = await this.#database.query(COMMIT, [...of, ...what]);
    if (rows.length === 0) throw lost(id);
  }
}

const MINE = "mine as materialized (select from orca.runs where id = $1 and owner = $2 for key share)";

/** Gives the snapshot that the step's first attempt to read the table read. Sent again, it finds what it did. */
const READ = {
  name: "record-read",
  text: `
    with ${MINE},
    first as (
      select snapshot from orca.reads
      where run = $1 and step = $3 and partition = $4 and dataset = $6 order by attempt limit 1
    )
    insert into orca.reads (run, step, partition, attempt, dataset, location, snapshot)
    select $1, $3, $4, $5, $6, $7,
      case when exists (select from first) then (select snapshot from first) else $8::bigint end
    from mine
    on conflict (run, step, partition, dataset, attempt) do update set location = excluded.location
    returning snapshot::text`,
};

const COMMIT = {
  name: "record-commit",
  text: `
    with ${MINE}
    insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation, code,
      rows_added, rows_total)
    select $1, $3, $4, $5, $6, $7, $8, $9::bigint, $10, $11, $12::bigint, $13::bigint from mine
    on conflict (run, step, partition, attempt, number) do update set location = excluded.location
    returning number`,
};

function lost(run: number): OrcaError {
  return new OrcaError("run-lost", `another process took run ${run} over: what this one did since isn't recorded`);
}
