/** Tables whose rows were changed here: overwritten, deleted, on branches, put back, written anew. */
import { ALWAYS, type Catalog, eq, gt, isNull, type JsonObject, lt, or, type Table } from "@orcajs/iceberg";
import { append, type TableHere } from "./evolved-tables.ts";
import { rowOf } from "./canonical.ts";

// a type, and no interface, is a JSON object too
type Town = { readonly id: number; readonly town: string | null; readonly n: string };

/** Appends, deletes and overwrites of `main` and a branch, tags, and a `main` that was put back; then columns and partitions changed as well. */
export async function withHistory(catalog: Catalog, formatVersion: 1 | 2): Promise<TableHere> {
  const table = await townTable(catalog, `lake.history_${formatVersion}`, formatVersion);
  let rows = towns(0, 20);
  await append(table, rows);
  await table.refs.createTag("first");
  await table.delete(or(lt("id", 3), eq("n", 5n * 2n ** 40n)));
  rows = rows.filter(({ id, n }) => id >= 3 && n !== "5497558138880");
  const inTown1 = towns(100, 4).map((row) => ({ ...row, town: "t1" }));
  await table.overwrite(values(table, inTown1), { where: eq("town", "t1") });
  rows = [...rows.filter(({ town }) => town !== "t1"), ...inTown1];

  await table.refs.createBranch("audit");
  const picked = towns(200, 3);
  const snapshot = await table.append(values(table, picked), { branch: "audit" });
  await table.delete(eq("town", "t0"), { branch: "audit" });

  const inTown2 = [{ id: 300, town: "t2", n: "1" }];
  await table.overwritePartitions(values(table, inTown2));
  rows = [...rows.filter(({ town }) => town !== "t2"), ...inTown2];
  const before = table.refs.all()["main"]!["snapshot-id"];
  await table.refs.createTag("doubtful", { snapshotId: (await table.delete(ALWAYS))["snapshot-id"] });
  await append(table, towns(400, 5));
  await table.refs.rollbackTo({ id: before });
  await table.refs.cherryPick(snapshot["snapshot-id"]);
  rows = [...rows, ...picked];

  await table.changeSchema([
    { change: "rename", column: "town", to: "city" },
    { change: "add", column: "late", type: "date?" },
  ]);
  await table.changeSpec([{ change: "add", column: "id", transform: "bucket[3]" }]);
  const late = towns(500, 6).map(({ town, ...row }) => ({
    ...row,
    city: town,
    late: row.id % 2 === 0 ? null : row.id,
  }));
  await append(table, late);
  await table.delete(isNull("city"));
  await table.delete(gt("late", "1971-05-19")); // 504 days
  const all = [...rows.map(({ town, ...row }) => ({ ...row, city: town, late: null })), ...late];
  return { table, rows: all.filter((row) => row.city !== null && !(row.late !== null && row.late > 503)) };
}

/** Many small files and manifests written anew, and snapshots that expired; a tag and a branch keep theirs. */
export async function maintained(catalog: Catalog, formatVersion: 1 | 2): Promise<TableHere> {
  const table = await townTable(catalog, `lake.maintained_${formatVersion}`, formatVersion);
  let rows: readonly Town[] = [];
  for (let from = 0; from < 60; from += 10) {
    await append(table, towns(from, 10));
    rows = [...rows, ...towns(from, 10)];
    if (from === 20) await table.refs.createTag("kept");
    if (from === 30) await table.refs.createBranch("side");
  }
  await table.delete(lt("id", 5));
  const { removed } = await table.maintenance.rewriteFiles({ minInputFiles: 2 });
  const manifests = await table.maintenance.rewriteManifests();
  await table.append(values(table, towns(60, 4)));
  const { snapshots } = await table.maintenance.expireSnapshots({ keepLast: 2, olderThan: new Date() });
  if (removed === 0 || manifests === undefined || snapshots.length < 4)
    throw new Error("nothing was rewritten or expired");
  return { table, rows: [...rows.filter(({ id }) => id >= 5), ...towns(60, 4)] };
}

async function townTable(catalog: Catalog, name: string, formatVersion: 1 | 2): Promise<Table> {
  return await catalog.createTable(name, {
    formatVersion,
    columns: { id: "int?", town: "string?", n: "long?" },
    partitionBy: ["town"],
  });
}

function towns(from: number, count: number): readonly Town[] {
  return Array.from({ length: count }, (_, i) => from + i).map((id) => ({
    id,
    town: id % 4 === 3 ? null : `t${id % 4}`,
    n: String(BigInt(id) * 2n ** 40n),
  }));
}

function values(table: Table, rows: readonly JsonObject[]) {
  return rows.map((row) => rowOf(table.schema.fields, row));
}
