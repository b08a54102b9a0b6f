/** What the inner process of a recorded run needs: apart, so that a run in memory doesn't load what Postgres takes. */
export { runRecorded } from "../run/recorded-run.ts";
export { Database } from "../state/database.ts";
export { readRunBefore } from "../state/run-before.ts";
export { tokenOfRun } from "../state/runs.ts";
export { PostgresTableRecords } from "../state/table-records.ts";
