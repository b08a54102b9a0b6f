/** What the flights pipelines do of tables, by a script: the same rows and commits, two days at a time. `flights-bare.ts FOLDER FIRST LAST` */
import { eq, IcebergError, openCatalog, type Relation, type Table } from "@orcajs/iceberg";
import { Day, Month } from "orcajs";
import { FLIGHTS_FILE } from "../flights-file.ts";

const [folder, first, last] = process.argv.slice(2) as [string, Day, Day];
const days = Day.range(first, last);
const raw = {
  day: "date",
  departed: "timestamp",
  delay: "long?",
  distance: "long?",
  origin: "string?",
  destination: "string?",
} as const;
const clean = {
  ...raw,
  delay: "int",
  distance: "int",
  origin: "string",
  destination: "string",
} as const;
const delays = { month: "string", origin: "string", flights: "long", minutes: "long" } as const;

await using catalog = openCatalog(folder);
const { sql } = catalog.engine;
await catalog.createNamespace("flights");
const tables = {
  raw: await catalog.createTable("flights.raw", { columns: raw, partitionBy: ["day"] }),
  clean: await catalog.createTable("flights.clean", { columns: clean, partitionBy: ["day"], sortBy: ["origin"] }),
  delays: await catalog.createTable("flights.delays", { columns: delays, partitionBy: ["month"] }),
};

await twoAtOnce(days, async (day) => {
  await overwrite(
    tables.raw,
    sql`
      select ${day}::date as day, date as departed, delay, distance, origin, destination
      from read_parquet(${FLIGHTS_FILE})
      where date >= ${day}::timestamp and date < ${Day.next(day)}::timestamp`,
    "day",
    day,
  );
  await overwrite(
    tables.clean,
    sql`
      select distinct day, departed, delay, distance, origin, destination
      from ${tables.raw.scan({ where: eq("day", day) })}
      where delay is not null and distance > 0 and origin <> destination`,
    "day",
    day,
  );
});
await twoAtOnce([...new Set(days.map(Day.month))], async (month) => {
  const from = Month.start(month);
  const to = Month.start(Month.next(month));
  await overwrite(
    tables.delays,
    sql`
      select ${month} as month, origin, count(*) as flights, sum(delay)::bigint as minutes
      from ${tables.clean.scan()} where day >= ${from} and day < ${to} group by origin`,
    "month",
    month,
  );
});
const worst = await sql`
  select origin, sum(minutes) / sum(flights) as mean from ${tables.delays.scan()}
  group by origin having sum(flights) >= 1000 order by mean desc limit 10`.toArray();
console.log(worst);

async function twoAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all([worker(), worker()]);
}

/** Again where the other was faster. */
async function overwrite(table: Table, rows: Relation, column: string, value: string): Promise<void> {
  for (;;)
    try {
      await table.overwrite(rows, { where: eq(column, value) });
      return;
    } catch (error) {
      if (!(error instanceof IcebergError && error.code === "commit-conflict")) throw error;
    }
}
