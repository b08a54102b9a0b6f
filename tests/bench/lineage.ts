/** `orca lineage` over 10,000 snapshots and 20 steps, as whole processes. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { applyUpdates, metadataText, newTable } from "@orcajs/iceberg";
import pg from "pg";
import { Database } from "../../packages/orca/dist/state/database.js";
import { migrate } from "../../packages/orca/dist/state/migrate.js";
import { row, timeCommands } from "./measure.ts";
import { freshDatabase } from "./recorded-steps.ts";

const orca = path.resolve(import.meta.dirname, "../../packages/orca/bin/orca.js");
const STEPS = 20;

/** @param url of a server's database, in which databases can be made. @param snapshots how many all tables have together. */
export async function benchLineage(
  url: string,
  parent: string,
  snapshots: number,
  rounds: number,
): Promise<readonly string[]> {
  await using fresh = await freshDatabase(url);
  await using database = new Database(fresh.url, { patienceMs: 0, warn: console.error });
  await migrate(database);
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  await client.query(RUNS, [randomUUID()]);
  await client.query(WIDE, [snapshots / STEPS, STEPS]);
  const tables = STEPS / 2; // each step of the walk is followed by one in the table's own history
  const folder = path.join(parent, "lineage");
  for (let i = 0; i < tables; i++) makeTable(path.join(folder, `t${i}`), snapshots / tables);
  await client.query(THROUGH_OTHERS, [tables, folder, snapshots / tables]);
  await client.query("analyze");
  await client.end();
  process.env["ORCA_DATABASE_URL"] = fresh.url;
  const lineage = (snapshot: string) => [process.execPath, orca, "lineage", snapshot];
  const [node, back, forward, others] = timeCommands(
    [
      [process.execPath, "-e", "0"],
      lineage(`wide.t${STEPS - 1}@${STEPS}000001`),
      lineage("wide.t0@1000001"),
      lineage(`others.t${tables - 1}@${snapshots / tables}`),
    ],
    rounds,
  );
  delete process.env["ORCA_DATABASE_URL"];
  return [
    `orca lineage, ${snapshots.toLocaleString("en-US")} snapshots and ${STEPS} steps, whole processes`,
    row("Node's own start", node!),
    row("of a snapshot with one before it at each step", back!),
    row("of the one that all the others are made from", forward!),
    row("back through writers that aren't Orca", others!),
  ];
}

const RUNS = `
  with p as (insert into orca.pipelines (name) values ('bench') returning name),
    v as (
      insert into orca.versions (pipeline, digest, registry_hash, step_hashes)
      select name, 'd', '0x1', '{}' from p returning id)
  insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at, ended_at)
  select $1, 'bench', id, 'succeeded', 'manual', '{a}', clock_timestamp(), clock_timestamp() from v`;

/** What attempts of run 1 with these reads and commits have on record. */
const attempts = (steps: string) => `
  with s as materialized (${steps}),
    a as (
      insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
      select 1, step, partition, 'succeeded', '0x1', '1', 1, clock_timestamp(), clock_timestamp() from s),
    b as (
      insert into orca.attempts (run, step, partition, attempt, status, owner, ended_at)
      select 1, step, partition, 1, 'succeeded', gen_random_uuid(), clock_timestamp() + interval '1 hour' from s),
    c as (
      insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation, code)
      select 1, step, partition, 1, 1, dataset, location, made, 'append', '0x1' from s)
  insert into orca.reads (run, step, partition, attempt, dataset, location, snapshot)
  select 1, step, partition, 1, source, source_location, read from s where source is not null`;

/** Each snapshot of a table is made from the one with its number of the table before; of the second table all are made from the first's first. */
const WIDE = attempts(`
  select 'wide' || t as step, n::text as partition, 'wide.t' || t as dataset, 'lake' as location, (t + 1) * 1000000 + n as made,
    case when t > 0 then 'wide.t' || t - 1 end as source, 'lake' as source_location,
    case when t > 1 then t * 1000000 + n when t = 1 then 1000001 end as read
  from generate_series(0, $2::int - 1) as t, generate_series(1, $1::int) as n`);

/** The first snapshot of each table is Orca's, and the last of the one before is read. */
const THROUGH_OTHERS = attempts(`
  select 'others' || t as step, '' as partition, 'others.t' || t as dataset, $2::text || '/t' || t as location, 1 as made,
    case when t > 0 then 'others.t' || t - 1 end as source, $2::text || '/t' || t - 1 as source_location, $3::bigint as read
  from generate_series(0, $1::int - 1) as t`);

/** A table whose metadata has so many snapshots, each on the one before; their files aren't there. */
function makeTable(folder: string, snapshots: number): void {
  const created = newTable({
    fields: [{ id: 1, name: "id", required: true, type: { kind: "long" } }],
    location: folder,
    uuid: randomUUID(),
    nowMs: 1,
  });
  const added = Array.from({ length: snapshots }, (_, i) => ({
    action: "add-snapshot" as const,
    snapshot: {
      "snapshot-id": BigInt(i + 1),
      ...(i > 0 && { "parent-snapshot-id": BigInt(i) }),
      "sequence-number": i + 1,
      "timestamp-ms": i + 2,
      "manifest-list": `${folder}/metadata/snap-${i + 1}.avro`,
      summary: { operation: "append", "added-records": "1000", "total-records": String(1000 * (i + 1)) },
      "schema-id": 0,
    },
  }));
  const head = { action: "set-snapshot-ref", "ref-name": "main", type: "branch" } as const;
  const updates = [...added, { ...head, "snapshot-id": BigInt(snapshots) }];
  mkdirSync(path.join(folder, "metadata"), { recursive: true });
  const text = metadataText(applyUpdates(created, updates, { nowMs: snapshots + 2 }));
  writeFileSync(path.join(folder, "metadata/v1.metadata.json"), text);
  writeFileSync(path.join(folder, "metadata/version-hint.text"), "1");
}
