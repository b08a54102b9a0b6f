// What a step gives, and what a task takes and gives, can be stored.
import { gather, mapped, task, type Month } from "orcajs";

class Sample {
  n = 1;
  size() {
    return this.n;
  }
}
mapped("m", async (_ctx, m: Month) => ({ m, at: new Date(), n: 1n, of: new Map([[1, new Set(["x"])]]) })); // fine
mapped("m", { retries: 1 }, (_ctx, m: Month) => ({ m, bytes: new Uint8Array(2), none: null, maybe: undefined })); // fine
task("t", async (rows: readonly { n: number }[]) => rows.length); // fine

// error: outputs must be storable: output.rows[].get is a function
mapped("m", async (_ctx, m: Month) => ({ m, rows: [{ get: () => 1 }] }));
// error: outputs must be storable: output.size is a function
mapped("m", async (_ctx, _m: Month) => new Sample());
// error: outputs must be storable: output is a class instance
mapped("m", async (_ctx, _m: Month) => new Error("x"));
// error: outputs must be storable: output.pages[] is a promise: await it
mapped("m", { retries: 1 }, async (_ctx, m: Month) => ({ m, pages: ["a"].map(async (u) => u.length) }));
// error: outputs must be storable: a key of output is a symbol
gather("g", async (_ctx, _ms: Month[]) => new Map([[Symbol("x"), 1]]));
// error: outputs must be storable: an element of output is a function
gather("g", async (_ctx, _ms: Month[]) => new Set([() => 1]));
// error: results must be storable: result.get is a function
task("t", async (n: number) => ({ get: () => n }));
// error: arguments must be storable: argument[][].each is a function
task("t", async (rows: { each: () => number }[], n: number) => rows.length + n);
