// What a row is when it is read, and what it may be when it is written, exactly. Nothing here runs: the compiler is the test.
import { dataset, nullable } from "orcajs";
import type { Dataset, DateTime, Day, Decimal, Instant, Row, RowOf, RowToAppend, Time } from "orcajs";
import type { TablesBefore } from "orcajs/testing";
import type { raw } from "../../examples/lake.ts";
import type { Trip } from "../../examples/trips.ts";
import { equal, type Equal } from "./equal.ts";

equal<Equal<typeof raw, Dataset<"lake.raw", { id: bigint; day: Day; value: number | null }>>>();
equal<Equal<RowOf<typeof raw>, { id: bigint; day: Day; value: number | null }>>();
equal<Equal<RowOf<"lake.raw">, Row>>();

interface Place {
  lat: number;
  lon: number;
  name: string | null;
}
interface TripRead {
  id: bigint;
  day: Day;
  vehicle: string;
  seats: number;
  shared: boolean;
  fare: Decimal;
  tip: Decimal | null;
  picked_up: Instant;
  meter_start: DateTime;
  shift: Time;
  speed: number | null;
  from: Place;
  to: Place | null;
  stops: { at: Instant; where: Place }[];
  tags: string[];
  surcharges: Map<string, Decimal>;
  signature: Uint8Array | null;
  sha256: Uint8Array;
}
// an interface is the same type as the row's, save that it has a name
export const asNamed: (trip: Trip) => TripRead = (trip) => trip;
export const asRow: (trip: TripRead) => Trip = (trip) => trip;
equal<Equal<keyof TripRead, keyof Trip>>();

export const every = dataset("a.b", {
  a: "boolean?",
  b: ["int?"],
  c: [["long"]],
  d: nullable([{ e: "date?" }]),
  f: { "[long]": "double?" },
  g: { "[date]": [{ h: "uuid" }] },
  i: [nullable({ j: "decimal(1,0)" })],
  k: "fixed(2)?",
});
equal<
  Equal<
    RowOf<typeof every>,
    {
      a: boolean | null;
      b: (number | null)[];
      c: bigint[][];
      d: { e: Day | null }[] | null;
      f: Map<bigint, number | null>;
      g: Map<Day, { h: string }[]>;
      i: ({ j: Decimal } | null)[];
      k: Uint8Array | null;
    }
  >
>();

// rows to append are wider: what turns into a column's value without loss, and nullable columns left out
const row: RowToAppend<RowOf<typeof raw>> = { id: 1, day: "2024-01-31" };
equal<Equal<(typeof row)["id"], bigint | number>>();
equal<Equal<(typeof row)["value"], number | null | undefined>>();
equal<
  Equal<
    RowToAppend<{ at: Instant; of: Map<bigint, Day>; tags: bigint[]; x: { y: bigint | null } }>,
    {
      readonly at: Instant | Date | `${number}-${number}-${number}T${string}Z`;
      readonly of: ReadonlyMap<bigint | number, Day | `${number}-${number}-${number}`>;
      readonly tags: readonly (bigint | number)[];
      readonly x: RowToAppend<{ y: bigint | null }>;
    }
  >
>();
// what is read can be appended
export const asRead: (trip: Trip) => RowToAppend<Trip> = (trip) => trip;

equal<
  Equal<
    TablesBefore<[typeof raw, "x"]>,
    readonly [
      readonly [dataset: typeof raw, rows: readonly RowToAppend<RowOf<typeof raw>>[]],
      readonly [dataset: "x", rows: readonly Row[]],
    ]
  >
>();
