// The names of a pipeline's steps are unique.
import { mapped, monthly, pipeline, type Month } from "orcajs";
import { days, measure } from "../shared/steps.ts";

const again = mapped("days", async (_ctx, _m: Month) => 1);
pipeline("p", { steps: [days, measure], partitions: monthly("2024-01") }); // fine
// error: two steps are named 'days': step names are unique
pipeline("p", { steps: [days, measure, again], partitions: monthly("2024-01") });
// error: two steps are named 'days': step names are unique
pipeline("p", { steps: [days, days], partitions: monthly("2024-01") });
