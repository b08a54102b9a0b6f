// SQL takes scans, queries, plain values and pieces of SQL.
import { mapped, sql, task, type Day } from "orcajs";
import { dayStep, raw } from "../shared/tables.ts";

const add = task("add", async (a: number, b: number) => a + b);
mapped("m", { reads: [raw] }, async (ctx, day: Day) => {
  ctx.sql`select ${day}, ${"x"}, ${1}, ${1n}, ${true}, ${null}, ${new Date()}, ${new Uint8Array(1)}, ${[1, 2]}`; // fine
  ctx.sql`select ${sql.id("id")} from ${ctx.scan(raw)} where ${sql`day = ${day}`}`; // fine
  ctx.sql`select * from ${ctx.sql`select 1 as id`} where day = ${ctx.partition}`; // fine
  ctx.sql`select ${sql.join([sql.id("id"), sql`1`, 2])}`; // fine
  ctx.sql`select ${dayStep}`; // error: SQL takes no step or task, and 'days' is one
  ctx.sql`select ${add}`; // error: SQL takes no step or task, and 'add' is one
  ctx.sql`select * from ${raw}`; // error: SQL takes a scan of a dataset: ctx.scan(…)
  ctx.sql`select ${() => 1}`; // error: SQL takes no function
  ctx.sql`select * from ${ctx.scan(raw)} where day = ${undefined}`; // error: SQL takes no undefined: write null
  ctx.sql`select * from ${ctx.scan(raw).toArray()}`; // error: SQL takes no promise: await it
  ctx.sql`select ${{ day }}`; // error: SQL takes no object
  ctx.sql`select ${new Map([[1, 2]])}`; // error: SQL takes no object
  ctx.sql`select ${[[1]]}`; // error: SQL takes lists of plain values only
  ctx.sql`select ${[undefined]}`; // error: SQL takes lists of plain values only
  sql`day = ${dayStep}`; // error: SQL takes no step or task, and 'days' is one
  sql.join([day, add]); // tsc: is not assignable to type 'InSql'
  ctx.sql<{ n: bigint }>`select count(*) as n from ${raw}`; // tsc: is not assignable to parameter of type 'InSql'

  for await (const row of ctx.sql<{ n: bigint }>`select 1 as n`) ctx.log(row.n + 1n); // fine
  for await (const row of ctx.sql`select 1 as n`) ctx.log(row["n"] + 1); // tsc: Object is of type 'unknown'
});
