// A column takes values of its type, and what turns into them without loss.
import { DateTime, Instant, mapped, type Day } from "orcajs";
import { clean, times } from "../shared/tables.ts";

mapped("m", { writes: [clean, times] }, async (ctx, day: Day) => {
  const text: string = day;
  await ctx.append(clean, [
    { id: 1, day: "2024-01-31", value: 1 }, // fine
    { id: "1", day, value: 1 }, // tsc: Type 'string' is not assignable to type 'number | bigint'
    { id: 1, day: "31.1.2024", value: 1 }, // tsc: Type '"31.1.2024"' is not assignable to type '`${number}-${number}-${number}` | Day'
    { id: 1, day: text, value: 1 }, // tsc: Type 'string' is not assignable to type '`${number}-${number}-${number}` | Day'
  ]);
  await ctx.append(times, [
    {
      at: "2024-01-31", // tsc: Type '"2024-01-31"' is not assignable to type 'Date | `${number}-${number}-${number}T${string}Z` | Instant'
      wall: new Date(), // tsc: Type 'Date' is not assignable to type '`${number}-${number}-${number}T${string}` | DateTime'
      price: "ten", // tsc: Type '"ten"' is not assignable to type 'number | `${number}`'
      n: 1n, // tsc: Type 'bigint' is not assignable to type 'number'
      bytes: [1], // tsc: Type '[number]' is not assignable to type 'Uint8Array<ArrayBufferLike>'
    },
    { at: new Date(), wall: "2024-01-31T09:30:00", price: "10.00", n: 1, bytes: Buffer.from("x") }, // fine
    { at: Instant("2024-01-31T09:30Z"), wall: DateTime("2024-01-31T09:30"), price: 10, n: 1, bytes: new Uint8Array(1) }, // fine
  ]);
  const rows = [1, 2].map((n) => ({ id: String(n), day: text, value: n }));
  // error: rows don't fit lake.clean: day takes Day, not string
  // and: rows don't fit lake.clean: id takes bigint or number, not string
  await ctx.append(clean, rows);
});
