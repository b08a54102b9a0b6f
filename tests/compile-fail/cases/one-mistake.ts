// One mistake in a step is one error: the pipeline that has the step says nothing more of it.
import { mapped, type Month, monthly, pipeline } from "orcajs";

// tsc: 'retires' does not exist
const misspelt = mapped("misspelt", { retires: 2 }, async (_ctx, month: Month) => month);
// tsc: Type 'string' is not assignable to type 'number'
const mistyped = mapped("mistyped", { retries: "2" }, async (_ctx, month: Month) => month);
pipeline("p", { steps: [misspelt, mistyped], partitions: monthly("2024-01") }); // fine: the mistakes are said above
