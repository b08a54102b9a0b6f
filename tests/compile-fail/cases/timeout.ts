// A step's timeout is a number and a unit.
import { gather, mapped, type Duration, type Month } from "orcajs";

mapped("m", { timeout: "10m" }, async (_ctx, _m: Month) => 1); // fine
gather("g", { timeout: "1.5h" }, async (_ctx, _m: Month[]) => 1); // fine
const given: Duration = "500ms"; // fine
mapped("m", { timeout: given }, async (_ctx, _m: Month) => 1); // fine
mapped("m", { timeout: "10 minutes" }, async (_ctx, _m: Month) => 1); // tsc: Type '"10 minutes"' is not assignable to type '`${number}d` | `${number}h` | `${number}m` | `${number}ms` | `${number}s`'
mapped("m", { timeout: "10" }, async (_ctx, _m: Month) => 1); // tsc: Type '"10"' is not assignable
mapped("m", { timeout: 600 }, async (_ctx, _m: Month) => 1); // tsc: Type 'number' is not assignable
