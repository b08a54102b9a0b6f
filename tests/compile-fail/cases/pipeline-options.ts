// A pipeline's options are those that exist, with values of their types.
import { cron, monthly, pipeline } from "orcajs";
import { days } from "../shared/steps.ts";

const partitions = monthly("2024-01");
pipeline("p", { steps: [days], partitions, sensor: true, maxRuns: 2, runRetries: 3, concurrency: 8 }); // fine
pipeline("p", { steps: [days], partitions, schedule: cron("0 3 2 * *", "Europe/London"), fills: "current" }); // fine
pipeline("p", { steps: [days], partitions, shedule: cron("@daily") }); // tsc: Did you mean to write 'schedule'?
pipeline("p", { steps: [days], partitions, schedule: "@daily" }); // tsc: Type 'string' is not assignable to type 'Cron'
pipeline("p", { steps: [days], partitions, fills: "next" }); // tsc: Type '"next"' is not assignable to type '"current" | "previous"'
pipeline("p", { steps: [days], partitions, catchup: 1 }); // tsc: Type 'number' is not assignable to type 'boolean'
pipeline("p", { steps: [days], partitions, sensor: "new keys" }); // tsc: Type 'string' is not assignable to type 'boolean'
pipeline("p", { steps: [days], partitions, maxRuns: "2" }); // tsc: Type 'string' is not assignable to type 'number'
pipeline("p", { steps: [days], partitions, sensors: true }); // tsc: Did you mean to write 'sensor'?
