/** The tables that the examples write, by every other reader. */
import path from "node:path";
import { openCatalog } from "@orcajs/iceberg";
import { beforeAll, describe, expect, it } from "vitest";
import { callOrca } from "../e2e/programs.ts";
import { expectAsHere, READERS, requestsOf, type ReadRequest } from "./readers.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();
/** In their order: reports read what was taken in. */
const RUNS = [
  ["flights/ingest", "2001-06-30..2001-07-01"],
  ["flights/report", "2001-06..2001-07"],
  ["lake", "2025-01-01..2025-01-02"],
  ["labels", "a,b"],
  ["trips", "2024-01..2024-02"],
  ["trips", "2024-02"],
] as const;
const TABLES = [
  "flights.raw",
  "flights.clean",
  "flights.delays",
  "lake.clean",
  "lake.checks",
  "av2.labels",
  "taxi.trips",
  "taxi.fares",
];
const requests: ReadRequest[] = [];

beforeAll(async () => {
  await using catalog = openCatalog(folder);
  for (const namespace of ["lake", "av2"]) await catalog.createNamespace(namespace);
  const raw = await catalog.createTable("lake.raw", { columns: { id: "long", day: "date", value: "double?" } });
  await raw.append([
    { id: 1n, day: "2025-01-01", value: 1.5 },
    { id: 2n, day: "2025-01-01", value: null },
    { id: 3n, day: "2025-01-02", value: -0 },
  ]);
  const logs = await catalog.createTable("av2.logs", { columns: { log_id: "string", frame: "int" } });
  await logs.append([
    { log_id: "a", frame: 1 },
    { log_id: "b", frame: 2 },
  ]);
  const env = { ORCA_WAREHOUSE: folder };
  for (const [example, partitions] of RUNS) {
    const file = path.join("examples", `${example}.ts`);
    const { code, stdout, stderr } = await callOrca(["dev", file, "run", "--partitions", partitions], { env });
    expect(code, `${example}: ${stdout}${stderr}`).toBe(0);
  }
  for (const name of TABLES) {
    const table = await catalog.loadTable(name);
    expect(table.snapshots().length, name).toBeGreaterThan(0);
    requests.push(...requestsOf(table));
  }
}, 300_000);

// icebird gives values of fixed length as lists of numbers
describe.each(Object.entries(READERS).filter(([name]) => name !== "icebird"))("read by %s", (_name, reader) => {
  it("are cell by cell what they are here, as they are and at each of their snapshots", async () => {
    const answers = await reader.read(requests);
    expect(answers).toHaveLength(requests.length);
    for (const [i, rows] of answers.entries()) await expectAsHere(reader, requests[i]!, rows);
  });
});
