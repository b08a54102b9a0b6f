/**
 * `npm run bench`: measures what docs/benchmarks.md states. `npm run bench -- --smoke` only shows that it runs, with tiny sizes;
 * `npm run bench -- pages lineage` measures those parts.
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

const words = process.argv.slice(2);
const isSmoke = words.includes("--smoke");
const asked = words.filter((word) => word !== "--smoke");
// inside the repository, so that what is built there finds the packages
const build = path.resolve(import.meta.dirname, "../../build");
mkdirSync(build, { recursive: true });
const folder = mkdtempSync(path.join(build, ".bench-"));
type Part = (url: string) => readonly string[] | Promise<readonly string[]>;
const parts: Readonly<Record<string, Part>> = {
  "start-up": () => benchStartUp(path.join(folder, "ingest"), isSmoke ? 1 : 21),
  "type-check": () => benchTypeCheck(folder, isSmoke ? 10 : 100, isSmoke ? 1 : 9),
  "many-keys": () => benchManyKeys(isSmoke ? 1_000 : 100_000, isSmoke ? 1 : 9),
  tables: () => benchTables(folder, isSmoke),
  "recorded-steps": (url) => benchRecordedSteps(url, isSmoke ? 100 : 10_000, isSmoke ? 1 : 5),
  "recorded-runs": (url) => benchRecordedRuns(url, folder, isSmoke ? 100 : 100_000, isSmoke ? 1 : 5),
  scheduler: (url) => benchScheduler(url, folder, isSmoke),
  history: (url) => benchHistory(url, isSmoke),
  pages: (url) => benchPages(url, isSmoke),
  flights: (url) => benchFlights(url, folder, isSmoke),
  lineage: (url) => benchLineage(url, folder, isSmoke ? 200 : 10_000, isSmoke ? 1 : 9),
};

const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(", ")}: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
try {
  await using server = await openEmbedded(path.join(folder, "postgres"));
  for (const [name, bench] of Object.entries(parts))
    if (asked.length === 0 || asked.includes(name)) console.log(`${(await bench(server.url)).join("\n")}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
