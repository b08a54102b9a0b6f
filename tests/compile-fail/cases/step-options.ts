// A step's options are those that exist, with values of their types; its function is given last.
import { gather, mapped, type Month } from "orcajs";
import { days } from "../shared/steps.ts";

mapped("m", { retries: 2, reads: [], writes: [], tasks: [] }, async (_ctx, _m: Month) => 1); // fine
mapped("m", { after: days, retries: 2 }, async (_ctx, d) => d.days); // fine
mapped("m", { retires: 2 }, async (_ctx, _m: Month) => 1); // tsc: Did you mean to write 'retries'?
gather("g", { timout: "10m" }, async (_ctx, _m: Month[]) => 1); // tsc: Did you mean to write 'timeout'?
mapped("m", { retries: "2" }, async (_ctx, _m: Month) => 1); // tsc: Type 'string' is not assignable to type 'number'
mapped("m", { after: "days" }, async (_ctx, _d) => 1); // tsc: Type 'string' is not assignable to type 'Mapped<string, any, any, any, string>'
gather("g", { after: [] }, async (_ctx, _d) => 1); // tsc: Source has 0 element(s) but target requires 1
mapped("m"); // tsc: Expected 2-3 arguments, but got 1
mapped("m", { after: days }); // tsc: 'after' does not exist in type '(ctx: MappedCtx<PartitionKey, never, never, never>, partitionKey: PartitionKey) => any'
