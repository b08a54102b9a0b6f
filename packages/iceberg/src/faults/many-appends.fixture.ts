/** Many processes that append to one table at once, and what the table is then. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { type CatalogOptions, openCatalog } from "../catalog/open.ts";
import { removeOrphans } from "../maintenance/remove-orphans.ts";

/** So many rows has an append. */
export const ROWS = 3;

export interface Appends {
  readonly processes: number;
  /** Of each process. */
  readonly appends: number;
}

/** What is to be, and is if nothing was lost, doubled or left: compare it with `wholeAfter`. */
export interface AfterAppends {
  readonly snapshots: number;
  /** Of how many appends there are snapshots. */
  readonly appends: number;
  readonly rows: number;
  readonly distinctRows: number;
  /** Of the last snapshot's summary. */
  readonly totalRecords: string | undefined;
  readonly isSequenceWithoutGaps: boolean;
  /** Besides former metadata files, of which the table's log has only the last. */
  readonly orphans: readonly string[];
}

export function wholeAfter({ processes, appends }: Appends): AfterAppends {
  const rows = processes * appends * ROWS;
  return {
    snapshots: processes * appends,
    appends: processes * appends,
    rows,
    distinctRows: rows,
    totalRecords: String(rows),
    isSequenceWithoutGaps: true,
    orphans: [],
  };
}

/** Makes table `a.t` in a lake, and has processes append to it, all from the same moment on. @throws if one of them fails. */
export async function afterAppends(
  lake: string,
  options: CatalogOptions,
  { processes, appends }: Appends,
): Promise<AfterAppends> {
  await using catalog = openCatalog(lake, options);
  await catalog.createNamespace("a");
  await catalog.createTable("a.t", { columns: { writer: "int", append: "int", row: "int" } });
  const starting = Array.from({ length: processes }, (_, writer) => startAppender(lake, options, writer, appends));
  const writers = await Promise.all(starting);
  await Promise.all(writers.map((writer) => writer.go()));

  const table = await catalog.loadTable("a.t");
  const counts = table.engine.sql<{ rows: bigint; distinct: bigint }>`
    select count(*) as rows, count(distinct (writer, append, row)) as distinct from ${table.scan()}`;
  const [{ rows, distinct }] = (await counts.toArray()) as [{ rows: bigint; distinct: bigint }];
  const later = { olderThan: new Date(Date.now() + 60_000), allowsRecent: true, isDryRun: true };
  const orphans = await removeOrphans(table.operations, later);
  const snapshots = table.snapshots();
  return {
    snapshots: snapshots.length,
    appends: new Set(snapshots.map(({ summary }) => summary?.["append"])).size,
    rows: Number(rows),
    distinctRows: Number(distinct),
    totalRecords: snapshots.at(-1)?.summary?.["total-records"],
    isSequenceWithoutGaps: snapshots.every((snapshot, i) => snapshot["sequence-number"] === i + 1),
    orphans: orphans.map(({ uri }) => uri).filter((uri) => !uri.endsWith(".metadata.json")),
  };
}

/** One that has loaded all it needs, and waits. */
async function startAppender(lake: string, options: CatalogOptions, writer: number, appends: number) {
  const fixture = path.join(import.meta.dirname, "appender.fixture.ts");
  const words = [lake, JSON.stringify({ ...options, engine: { threads: 1 } }), String(writer), String(appends)];
  const child = spawn(process.execPath, [fixture, ...words], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const checked = exited.then(([code]) => {
    if (code !== 0) throw new Error(`process ${writer} exited with ${code}`);
  });
  await Promise.race([once(child.stdout, "data"), checked]);
  return {
    async go() {
      child.stdin.end("go");
      await checked;
    },
  };
}
