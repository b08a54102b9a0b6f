// A pipeline lists its steps in run order.
import { monthly, pipeline } from "orcajs";
import { days, measure, total } from "../shared/steps.ts";

pipeline("p", { steps: [days, measure, total], partitions: monthly("2024-01") }); // fine
// error: step 'total' is listed before 'measure', which it follows: list steps in run order
pipeline("p", { steps: [days, total, measure], partitions: monthly("2024-01") });

const dynamic = [total, days, measure];
pipeline("p", { steps: dynamic, partitions: monthly("2024-01") }); // fine: an array that is no tuple is checked at run time
