/** Iceberg tables: appends and scans beside DuckDB over the same files and PyIceberg, small appends, planning, and memory. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { eq, openCatalog, openTable, type Table } from "@orcajs/iceberg";
import { isPythonReady, python } from "../interop/python.ts";
import { type Measured, measured, row } from "./measure.ts";
import { makePlannedTable } from "./planned-table.ts";

const FLIGHTS = fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));
const COLUMNS = {
  date: "timestamp?",
  delay: "long?",
  distance: "long?",
  origin: "string?",
  destination: "string?",
} as const;

export async function benchTables(parent: string, isSmoke: boolean): Promise<readonly string[]> {
  const folder = path.join(parent, "tables");
  mkdirSync(folder, { recursive: true });
  const rounds = isSmoke ? 1 : 10;
  return [
    "3,000,000 flights in an Iceberg table",
    ...(await benchFlightsTable(path.join(folder, "flights"), 2 * rounds)),
    ...(await benchSmallAppends(path.join(folder, "small"), isSmoke ? 20 : 1_000)),
    ...(await benchPlanning(path.join(folder, "planned"), isSmoke ? 100 : 10_000, rounds)),
    ...benchMemory(path.join(folder, "memory"), isSmoke ? 30_000 : 30_000_000),
  ];
}

/** Appends and aggregates take turns with DuckDB's, and in being first, so that all meet the same noise, and files that are as fresh. */
async function benchFlightsTable(folder: string, rounds: number): Promise<readonly string[]> {
  await using catalog = openCatalog(folder);
  await catalog.createNamespace("bench");
  const duck = await (await DuckDBInstance.create(":memory:")).connect();
  const times: Record<"append" | "copy" | "scan" | "read", number[]> = { append: [], copy: [], scan: [], read: [] };
  for (let round = -1; round < rounds; round++) {
    const table = await catalog.createTable(`bench.flights${round + 1}`, { columns: COLUMNS });
    const inTurn = async (...works: readonly [name: keyof typeof times, work: () => Promise<unknown>][]) => {
      for (const [name, work] of round % 2 === 0 ? works : works.toReversed()) {
        const ms = await msOf(work);
        if (round >= 0) times[name].push(ms);
      }
    };
    await inTurn(
      ["copy", () => duck.run(copyStatement(path.join(folder, `copy-${round}.parquet`)))],
      ["append", () => table.append(table.engine.sql`select * from read_parquet(${FLIGHTS})`)],
    );
    const files = (await table.scan().files()).map(({ file }) => `'${file.file.path}'`).join();
    await inTurn(
      ["scan", () => worstOrigins(table)],
      ["read", () => duck.runAndReadAll(aggregate(`read_parquet([${files}])`))],
    );
  }
  duck.closeSync();
  const { append, copy, scan, read } = {
    append: measured(times.append),
    copy: measured(times.copy),
    scan: measured(times.scan),
    read: measured(times.read),
  };
  const lines = [
    row(`append (× ${(append.median / copy.median).toFixed(2)})`, append),
    row("DuckDB's COPY with the same settings", copy),
    row(`scan and aggregate (× ${(scan.median / read.median).toFixed(2)})`, scan),
    row("DuckDB over the same files", read),
  ];
  return [...lines, ...benchPyIceberg(path.join(folder, "pyiceberg"), rounds)];
}

function benchPyIceberg(folder: string, rounds: number): readonly string[] {
  if (!isPythonReady()) return ["  PyIceberg isn't there: `npm run test:interop` installs it"];
  mkdirSync(folder, { recursive: true });
  const script = path.relative(path.resolve(import.meta.dirname, "../interop/python"), import.meta.dirname);
  const times = python(path.join(script, "flights_table.py"), [FLIGHTS, folder, String(rounds)]) as {
    readonly append: number[];
    readonly scan: number[];
  };
  return [
    row("PyIceberg's append", measured(times.append)),
    row("PyIceberg's scan and aggregate", measured(times.scan)),
  ];
}

async function benchSmallAppends(folder: string, count: number): Promise<readonly string[]> {
  await using catalog = openCatalog(folder);
  await catalog.createNamespace("bench");
  const table = await catalog.createTable("bench.small", { columns: { id: "long", name: "string" } });
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ id: BigInt(i * 1_000 + n), name: `row ${n}` }));
    times.push(await msOf(() => table.append(rows)));
  }
  const tenth = Math.ceil(count / 10);
  return [
    row(`${count.toLocaleString("en-US")} appends of 1,000 rows`, measured(times)),
    row("the first tenth of them", measured(times.slice(0, tenth))),
    row("the last tenth", measured(times.slice(-tenth))),
  ];
}

async function benchPlanning(folder: string, files: number, rounds: number): Promise<readonly string[]> {
  const metadata = makePlannedTable(folder, files);
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    await using table = await openTable(metadata);
    const ms = await msOf(async () => {
      const found = await table.scan({ where: eq("day", 77) }).files();
      if (found.length !== 1) throw new Error(`the plan has ${found.length} files`);
    });
    if (round >= 0) times.push(ms);
  }
  return [row(`planning over ${files.toLocaleString("en-US")} files, one of which is left`, measured(times))];
}

function benchMemory(folder: string, rows: number): readonly string[] {
  const peak = (command: string): Measured => {
    const program = path.join(import.meta.dirname, "table-memory.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, command, folder, String(rows)], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${command} of ${rows} rows exited with ${status}: ${stderr}`);
    return measured([Number(stdout)]);
  };
  const what = rows.toLocaleString("en-US");
  return [
    row(`peak memory of an append of ${what} rows`, peak("append"), "MiB"),
    row(`peak memory of a scan of ${what} rows`, peak("scan"), "MiB"),
  ];
}

function worstOrigins(table: Table): Promise<unknown> {
  return table.engine
    .sql`select origin, avg(delay) from ${table.scan()} group by origin order by 2 desc limit 10`.toArray();
}

function aggregate(source: string): string {
  return `select origin, avg(delay) from ${source} group by origin order by 2 desc limit 10`;
}

/** As appends write: see the settings in the package's `write-settings.ts`. */
function copyStatement(file: string): string {
  return `copy (select * from '${FLIGHTS}') to '${file}' (format parquet, compression zstd, row_group_size 122880)`;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
