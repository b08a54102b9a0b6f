// Schedules and partitions are made by the functions that check them.
import { cron, daily, Day, keyed, mapped, Month, monthly, pipeline, type Cron, type Monthly, type Name } from "orcajs";
import { days } from "../shared/steps.ts";
import { dayStep } from "../shared/tables.ts";

const label = mapped("label", async (_ctx, _log: Name) => 1);
const partitions = monthly("2024-01");
pipeline("p", { steps: [days], partitions, schedule: cron("@daily") }); // fine
pipeline("p", { steps: [dayStep], partitions: daily("2024-01-31") }); // fine
pipeline("p", { steps: [label], partitions: keyed("av2.logs", "log_id") }); // fine

// error: a schedule is made by cron: write cron("0 3 * * *")
pipeline("p", { steps: [days], partitions, schedule: { cron: "@daily", timeZone: "UTC" } });
// error: a schedule is made by cron: write cron("0 3 * * *")
export const schedule: Cron = { cron: "@daily", timeZone: "UTC" };

// error: months are made by monthly: write monthly("2024-01")
pipeline("p", { steps: [days], partitions: { kind: "monthly", start: Month("2024-01") } });
// error: days are made by daily: write daily("2024-01-31")
pipeline("p", { steps: [dayStep], partitions: { kind: "daily", start: Day("2024-01-31") } });
// error: keys are made by keyed: write keyed("av2.logs", "log_id")
pipeline("p", { steps: [label], partitions: { kind: "keyed", dataset: "av2.logs", column: "log_id" } });
// error: months are made by monthly: write monthly("2024-01")
export const months: Monthly = { kind: "monthly", start: Month("2024-01") };
