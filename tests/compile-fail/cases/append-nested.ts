// Structs, lists and maps take what fits them, at any depth.
import { Instant, mapped, type Day } from "orcajs";
import { nested } from "../shared/tables.ts";

mapped("m", { writes: [nested] }, async (ctx, _day: Day) => {
  const place = { lat: 1, city: { name: "x" } };
  const counts = new Map<string, number>();
  await ctx.append(nested, [
    { id: 1, place, tags: [], counts }, // fine
    { id: 1, place, tags: [], stops: null, counts: new Map([["x", 1n]]) }, // fine
    { id: 1, place, tags: [], stops: [{ at: Instant("2024-01-31T09:30:00Z") }], counts }, // fine
    { id: 1, place: { lat: 1, city: { name: 3 } }, tags: [], counts }, // tsc: Type 'number' is not assignable to type 'string'
    { id: 1, place: { lat: 1, city: { name: "x", zip: 3 } }, tags: [], counts }, // tsc: 'zip' does not exist in type
    {
      id: 1,
      place,
      tags: ["x", 1], // tsc: Type 'number' is not assignable to type 'string'
      stops: [{ at: "noon" }], // tsc: Type '"noon"' is not assignable to type
      counts: { x: 1 }, // tsc: 'x' does not exist in type 'ReadonlyMap<string, number | bigint>'
    },
  ]);
  const rows = [{ id: 1, place, tags: ["x"], stops: [{ at: new Date() }], counts }];
  await ctx.append(nested, rows); // fine
  const unplaced = rows.map((r) => ({ ...r, place: { lat: "1", city: "x" } }));
  // error: rows don't fit lake.nested: place.city takes an object, not string
  // and: rows don't fit lake.nested: place.lat takes number, not string
  await ctx.append(nested, unplaced);
  const mistyped = rows.map((r) => ({ ...r, tags: [1], stops: [{ at: 1 }], counts: new Map([[1, "1"]]) }));
  // error: rows don't fit lake.nested: a key of counts takes string, not number
  // and: rows don't fit lake.nested: a value of counts takes bigint or number, not string
  // and: rows don't fit lake.nested: stops[].at takes Instant or Date, not number
  // and: rows don't fit lake.nested: tags[] takes string, not number
  await ctx.append(nested, mistyped);
  const misshapen = rows.map((r) => ({ ...r, place: null, tags: "x", counts: { x: 1 } }));
  // error: rows don't fit lake.nested: place takes an object, not null
  // and: rows don't fit lake.nested: tags takes an array, not string
  // and: rows don't fit lake.nested: counts takes a Map, not an object
  await ctx.append(nested, misshapen);
});
