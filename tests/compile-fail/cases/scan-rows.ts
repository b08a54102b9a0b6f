// Rows are typed by the columns of their dataset.
import { mapped, type Day } from "orcajs";
import { nested, raw } from "../shared/tables.ts";

mapped("m", { reads: [raw, nested, "by.name"] }, async (ctx, _day: Day) => {
  for await (const row of ctx.scan(raw)) {
    const id: bigint = row.id; // fine
    const value: number | null = row.value; // fine
    const mistyped: number = row.id; // tsc: Type 'bigint' is not assignable to type 'number'
    const never: number = row.value; // tsc: Type 'null' is not assignable to type 'number'
    ctx.log(id, value, mistyped, never, row.vale); // tsc: Property 'vale' does not exist on type '{ id: bigint; day: Day; value: number | null; }'
  }
  ctx.scan(raw).columns("id", "day"); // fine
  ctx.scan(raw).columns("id", "dya"); // tsc: Argument of type '"dya"' is not assignable to parameter of type '"day" | "id" | "value"'
  for await (const row of ctx.scan(raw).columns("id")) ctx.log(row.day); // tsc: Property 'day' does not exist on type '{ id: bigint; }'
  ctx.scan(raw, { where: { day: "2024-01-31", value: null } }).columns("id"); // fine
  ctx.scan("by.name", { where: { anything: 1 } }); // fine: untyped
  ctx.scan(raw, { where: { dya: "2024-01-31" } }); // tsc: 'dya' does not exist in type
  ctx.scan(raw, { where: { id: null } }); // tsc: Type 'null' is not assignable to type 'number | bigint | undefined'
  for await (const { stops, place } of ctx.scan(nested)) {
    ctx.log(stops?.[0]?.at, place.city.name); // fine
    ctx.log(stops[0]); // tsc: 'stops' is possibly 'null'
    ctx.log(place.city.nam); // tsc: Property 'nam' does not exist on type '{ name: string; }'
  }
  for await (const row of ctx.scan("by.name")) ctx.log(row["anything"]); // fine: untyped
});
