// A first mapped step takes the partition's key.
import { daily, keyed, mapped, monthly, pipeline, type Day, type Name } from "orcajs";
import { days } from "../shared/steps.ts";

pipeline("p", { steps: [days], partitions: monthly("2024-01") }); // fine
// error: step 'days' takes Month: a first mapped step takes the partition key, Day
pipeline("p", { steps: [days], partitions: daily("2024-01-01") });
// error: step 'days' takes Month: a first mapped step takes the partition key, Name
pipeline("p", { steps: [days], partitions: keyed("av2.logs", "log_id") });

const other = mapped("other", async (_ctx, _day: Day) => 1);
pipeline("p", { steps: [other], partitions: daily("2024-01-01") }); // fine
// error: step 'other' takes Day: a first mapped step takes the partition key, Month
pipeline("p", { steps: [days, other], partitions: monthly("2024-01") });

const text = mapped("text", async (_ctx, _key: string) => 1);
// error: step 'text' doesn't say which key it takes: a first mapped step takes the partition key, Month
pipeline("p", { steps: [text], partitions: monthly("2024-01") });
const bare = mapped("bare", async (_ctx, _key) => 1);
// error: step 'bare' doesn't say which key it takes: a first mapped step takes the partition key, Month
pipeline("p", { steps: [bare], partitions: monthly("2024-01") });

const named = mapped("named", async (_ctx, _log: Name) => 1);
pipeline("p", { steps: [named], partitions: keyed("av2.logs", "log_id") }); // fine
mapped("number", async (_ctx, _n: number) => 1); // tsc: Type 'PartitionKey' is not assignable to type 'number'
