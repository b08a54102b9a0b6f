// A keyed pipeline has no schedule, fills or catchup; only it has keysPerRun.
import { cron, keyed, mapped, monthly, pipeline, type Name } from "orcajs";
import { days } from "../shared/steps.ts";

const label = mapped("label", async (_ctx, _log: Name) => 1);
const logs = keyed("av2.logs", "log_id");
pipeline("p", { steps: [label], partitions: logs, keysPerRun: 100, sensor: true }); // fine
// error: a keyed pipeline has no schedule: it runs by hand, by backfill or as a sensor
pipeline("p", { steps: [label], partitions: logs, schedule: cron("@daily") });
// error: a keyed pipeline has no fills: it runs by hand, by backfill or as a sensor
pipeline("p", { steps: [label], partitions: logs, fills: "previous" });
// error: a keyed pipeline has no catchup: it runs by hand, by backfill or as a sensor
pipeline("p", { steps: [label], partitions: logs, catchup: false });
pipeline("p", { steps: [label], partitions: logs, keysPerRun: "100" }); // tsc: Type 'string' is not assignable to type 'number'

pipeline("p", {
  steps: [days],
  partitions: monthly("2024-01"),
  schedule: cron("@daily"),
  fills: "previous",
  catchup: false,
}); // fine
// error: only a keyed pipeline has keysPerRun
pipeline("p", { steps: [days], partitions: monthly("2024-01"), keysPerRun: 3 });
