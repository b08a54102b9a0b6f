// A commit of files says what it does, to a dataset that the step writes.
import { mapped, type Day, type WrittenFile } from "orcajs";
import { clean, other, raw } from "../shared/tables.ts";

mapped("m", { reads: [raw], writes: [clean, "by.name"] }, async (ctx, day: Day) => {
  const files = await ctx.scan(raw).files();
  const written: readonly WrittenFile[] = [];
  await ctx.commit(clean, { operation: "append", add: ["s3://lake/1.parquet", { path: "/1.parquet" }, ...written] }); // fine
  await ctx.commit(clean, { operation: "append", add: [{ path: "/1.parquet", partition: { day } }] }); // fine
  await ctx.commit("by.name", { operation: "replace", add: written, remove: files }); // fine
  await ctx.commit(clean, { operation: "delete", remove: ["s3://lake/1.parquet"] }); // fine
  // error: 'lake.raw' isn't in this step's writes
  await ctx.commit(raw, { operation: "append", add: [] });
  // error: 'lake.other' isn't in this step's writes
  await ctx.commit(other, { operation: "append", add: [] });
  await ctx.commit(clean); // tsc: Expected 2 arguments, but got 1
  await ctx.commit(clean, {}); // tsc: Argument of type '{}' is not assignable to parameter of type 'FileChange'
  await ctx.commit(clean, { operation: "merge", add: [] }); // tsc: Type '"merge"' is not assignable to type
  await ctx.commit(clean, { operation: "append", add: [1] }); // tsc: Type 'number' is not assignable to type 'NewFile'
  await ctx.commit(clean, { operation: "append", add: ["a"], remove: files }); // tsc: Type 'readonly TableFile[]' is not assignable to type 'undefined'
  await ctx.commit(clean, { operation: "delete", remove: [{ paht: "a" }] }); // tsc: 'paht' does not exist in type
});
