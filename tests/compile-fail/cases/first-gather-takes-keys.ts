// A first gather step takes an array of the partition's key.
import { daily, gather, monthly, pipeline, type Month } from "orcajs";

const all = gather("all", async (_ctx, months: Month[]) => months.length);
pipeline("p", { steps: [all], partitions: monthly("2024-01") }); // fine
// error: step 'all' takes Month[]: a first gather step takes an array of the partition key, Day[]
pipeline("p", { steps: [all], partitions: daily("2024-01-01") });

const readonlyKeys = gather("readonly", { retries: 1 }, async (_ctx, months: readonly Month[]) => months.length);
pipeline("p", { steps: [readonlyKeys], partitions: monthly("2024-01") }); // fine

const bare = gather("bare", async (_ctx, _keys) => 1);
// error: step 'bare' doesn't say which key it takes: a first gather step takes an array of the partition key, Month[]
pipeline("p", { steps: [bare], partitions: monthly("2024-01") });

gather("one", async (_ctx, _month: Month) => 1); // tsc: Type 'readonly PartitionKey[]' is not assignable to type 'Month'
