/**
 * `npm run bench`: measures what docs/benchmarks.md states. `npm run bench -- --smoke` only shows that it runs, with tiny sizes.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openEmbedded } from "../../packages/orca/dist/postgres/embedded.js";
import { benchFlights } from "./flights.ts";
import { benchHistory } from "./history.ts";
import { benchLineage } from "./lineage.ts";
import { benchManyKeys } from "./many-keys.ts";
import { benchPages } from "./pages.ts";
import { benchRecordedRuns } from "./recorded-runs.ts";
import { benchRecordedSteps } from "./recorded-steps.ts";
import { benchScheduler } from "./scheduler.ts";
import { benchStartUp } from "./start-up.ts";
import { benchTables } from "./tables.ts";
import { benchTypeCheck } from "./type-check.ts";

setFlagsFromString("--expose-gc");
globalThis.gc = runInNewContext("gc") as NodeJS.GCFunction;

const isSmoke = process.argv.includes("--smoke");
// inside the repository, so that what is built there finds the packages
const build = path.resolve(import.meta.dirname, "../../build");
mkdirSync(build, { recursive: true });
const folder = mkdtempSync(path.join(build, ".bench-"));
try {
  report(benchStartUp(path.join(folder, "ingest"), isSmoke ? 1 : 21));
  report(benchTypeCheck(folder, isSmoke ? 10 : 100, isSmoke ? 1 : 9));
  report(await benchManyKeys(isSmoke ? 1_000 : 100_000, isSmoke ? 1 : 9));
  report(await benchTables(folder, isSmoke));
  await using server = await openEmbedded(path.join(folder, "postgres"));
  report(await benchRecordedSteps(server.url, isSmoke ? 100 : 10_000, isSmoke ? 1 : 5));
  report(await benchRecordedRuns(server.url, folder, isSmoke ? 100 : 100_000, isSmoke ? 1 : 5));
  report(await benchScheduler(server.url, folder, isSmoke));
  report(await benchHistory(server.url, isSmoke));
  report(await benchPages(server.url, isSmoke));
  report(await benchFlights(server.url, folder, isSmoke));
  report(await benchLineage(server.url, folder, isSmoke ? 200 : 10_000, isSmoke ? 1 : 9));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(lines: readonly string[]): void {
  console.log(`${lines.join("\n")}\n`);
}
