// Every kind of column, nested, with docs, partitions and an order: written from plain objects, read back typed.
import { dataset, DateTime, type Day, gather, Instant, mapped, Month, monthly, nullable, pipeline, sql } from "orcajs";
import type { RowOf, RowToAppend } from "orcajs";

const place = { lat: "double", lon: "double", name: "string?" } as const; // a struct, used in three columns

export const trips = dataset(
  "taxi.trips",
  {
    id: "long",
    /** The day that it began, in New York. */
    day: "date",
    vehicle: "uuid",
    seats: "int",
    shared: "boolean",
    fare: "decimal(10, 2)",
    tip: "decimal(10, 2)?",
    picked_up: "timestamptz",
    meter_start: "timestamp",
    shift: "time",
    speed: "float?",
    from: place,
    to: nullable(place),
    stops: [{ at: "timestamptz", where: place }], // [x] is a list
    tags: ["string"],
    surcharges: { "[string]": "decimal(6, 2)" }, // a map
    signature: "binary?",
    sha256: "fixed(32)",
  },
  {
    doc: "One row per trip.",
    docs: { fare: "in dollars, tolls included", "from.lat": "WGS 84", "stops.at": "when the door opened" },
    partitionBy: ["month(picked_up)", "bucket(16, id)"],
    sortBy: ["picked_up", "fare desc nulls last"],
  },
);
export type Trip = RowOf<typeof trips>;

export const fares = dataset(
  "taxi.fares",
  { month: "string", vehicle: "uuid", trips: "int", fare: "decimal(20, 2)" },
  { partitionBy: ["truncate(4, month)"] },
);

/** A row to append is wider than one read: numbers for longs and decimals, a `Date`, text that is a time. */
function trip(id: number, day: Day): RowToAppend<Trip> {
  return {
    id,
    day,
    vehicle: "5e1fc0de-0000-4000-8000-00000000000a",
    seats: 4,
    shared: false,
    fare: 12.5,
    tip: "1.20",
    picked_up: new Date(`${day}T09:30:00Z`),
    meter_start: DateTime(`${day}T04:30`),
    shift: "04:00:00",
    from: { lat: 40.7, lon: -74 },
    stops: [{ at: Instant(`${day}T09:40:00.000001Z`), where: { lat: 40.8, lon: -74, name: "Pier 1" } }],
    tags: ["airport"],
    surcharges: new Map([["night", 0.5]]),
    sha256: new Uint8Array(32),
  };
}

export const drive = mapped("drive", { writes: [trips] }, async (ctx, month: Month) => {
  const days = Month.days(month);
  await ctx.append(
    trips,
    days.map((day, i) => trip(i, day)),
  );
  return days.length;
});

export const sum = mapped("sum", { after: drive, reads: [trips], writes: [fares] }, async (ctx) => {
  const key = sql.join([sql`strftime(day, '%Y-%m')`, sql.id("vehicle")]);
  const rows = ctx.sql`
    select strftime(day, '%Y-%m') as month, vehicle, count(*) as trips, sum(fare)::decimal(20, 2) as fare
    from ${ctx.scan(trips)} where strftime(day, '%Y-%m') = ${ctx.partition} group by ${key}`;
  return ctx.overwrite(fares, rows, { where: { month: ctx.partition } });
});

export const longest = gather("longest", { after: sum, reads: [trips] }, async (ctx) => {
  const at: Instant[] = [];
  for await (const t of ctx.scan(trips)) if (t.to === null) at.push(...t.stops.map((s) => s.at));
  return at.sort().at(-1); // instants are text that sorts
});

export default pipeline("trips", { steps: [drive, sum, longest], partitions: monthly("2024-01") });
