import { afterEach, beforeEach, expect, it } from "vitest";
import { OrcaError } from "../../core/errors.ts";
import type { DatasetRow } from "../../state/pages/datasets.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";
import type { DatasetPage } from "./dataset/read-dataset.ts";

let ui: TestUi;
let failing = false;
beforeEach(async () => {
  failing = false;
  ui = await testUi({
    async preview(dataset) {
      if (failing) throw new OrcaError("table-missing", "there is no table <yet>");
      return {
        dataset,
        snapshot: "7",
        rowCount: 1_000,
        fileCount: 12,
        bytes: 34_000,
        columns: [{ name: "id", type: "long", isNullable: false, isNumber: true }],
        columnCount: 1,
        rows: [["41"], [null]],
      };
    },
  });
  await ui.register("ingest", { steps: [step("load", [], ["flights.raw"])] });
  await ui.register("clean", {
    steps: [step("load", ["flights.raw"], ["flights.clean"])],
    ...({ datasets: [DECLARED] } as object),
  });
  await ui.register("report", { steps: [step("load", ["flights.clean", "ref.airports"], ["flights.monthly"])] });
});
afterEach(() => ui[Symbol.asyncDispose]());

const DECLARED = {
  name: "flights.clean",
  columns: [
    { name: "day", type: { type: "date" }, nullable: false },
    { name: "place", type: { type: "struct", fields: [{ name: "lat", type: { type: "double" }, nullable: true }] } },
  ],
  partitionBy: [{ transform: "identity", column: "day" }],
  sortBy: null,
  doc: "Flights without those that were cancelled",
};

function step(name: string, reads: readonly string[], writes: readonly string[]) {
  return { name, kind: "mapped" as const, hash: "0xa", after: [], reads, writes };
}

interface Made {
  readonly dataset: string;
  readonly snapshot: number;
  readonly key?: string;
  readonly reads?: readonly (readonly [dataset: string, snapshot: number])[];
  readonly rows?: readonly [added: number, total: number];
  readonly at?: string;
}

/** A run that has succeeded, whose step made a snapshot. @returns its number. */
async function make(pipeline: string, { dataset, snapshot, key = "2024-05-31", reads = [], rows, at }: Made) {
  const [run] = await ui.test.sql<{ id: number }>(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at)
     select gen_random_uuid(), name, version, 'running', 'manual', array[$2], now() from orca.pipelines where name = $1
     returning id::int as id`,
    [pipeline, key],
  );
  await ui.test.sql(
    `insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
     values ($1, 'load', $2, 'succeeded', '0xa', '1', 1, now(), now())`,
    [run!.id, key],
  );
  await ui.test.sql(
    `insert into orca.attempts (run, step, partition, attempt, status, owner, ended_at)
     values ($1, 'load', $2, 1, 'succeeded', gen_random_uuid(), clock_timestamp() + interval '1 s')`,
    [run!.id, key],
  );
  await ui.test.sql(
    `insert into orca.commits
       (run, step, partition, attempt, number, dataset, location, snapshot, operation, rows_added, rows_total, at)
     values ($1, 'load', $2, 1, 1, $3, '/lake/' || $3, $4, 'append', $5, $6, coalesce($7, clock_timestamp()))`,
    [run!.id, key, dataset, snapshot, rows?.[0] ?? null, rows?.[1] ?? null, at ?? null],
  );
  for (const [read, at] of reads)
    await ui.test.sql(
      `insert into orca.reads (run, step, partition, attempt, dataset, location, snapshot) values ($1, 'load', $2, 1, $3, '/lake', $4)`,
      [run!.id, key, read, at],
    );
  await ui.end(run!.id);
  return run!.id;
}

const page = async (path = "/datasets/flights.clean") => (await ui.json(path)) as DatasetPage;
const html = async (path = "/datasets/flights.clean") => (await ui.get(path)).text();

it("are listed with what makes and reads them and their newest commit", async () => {
  await make("clean", { dataset: "flights.clean", snapshot: 7, rows: [10, 1_234] });
  const { datasets } = (await ui.json("/datasets")) as { datasets: readonly DatasetRow[] };
  expect(datasets.map(({ name }) => name)).toEqual(["flights.clean", "flights.monthly", "flights.raw", "ref.airports"]);
  expect(datasets[0]).toMatchObject({
    madeBy: ["clean"],
    readBy: ["report"],
    commits: { count: 1, isMore: false },
    newest: { snapshot: "7", rowsTotal: 1_234 },
  });
  expect(datasets[3]).toMatchObject({ madeBy: [], readBy: ["report"], newest: null });
  expect(await html("/datasets")).toContain("1,234");
  expect(((await ui.json("/datasets?after=flights.raw")) as { datasets: unknown[] }).datasets).toHaveLength(1);
});

it("has the columns that a pipeline declares", async () => {
  expect(await page()).toMatchObject({ doc: DECLARED.doc, madeBy: [{ pipeline: "clean", steps: ["load"] }] });
  const shown = await html();
  expect(shown).toContain("{ lat: double }");
  expect(shown).toContain(DECLARED.doc);
});

it("has its snapshots, the newest first, a page at a time, and each once", async () => {
  for (let n = 1; n <= 20; n++)
    await make("clean", {
      dataset: "flights.clean",
      snapshot: n,
      rows: [1, n],
      at: `2024-05-${String(n).padStart(2, "0")}`,
    });
  await ui.test.sql(
    `insert into orca.attempts (run, step, partition, attempt, status, owner, error, ended_at)
     select run, step, partition, 2, 'lost', gen_random_uuid(), 'x', clock_timestamp() + interval '1 s' from orca.commits where snapshot = 20`,
  );
  await ui.test.sql(
    `insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation, at)
     select run, step, partition, 2, 1, dataset, location, snapshot, operation, at from orca.commits where snapshot = 20`,
  );
  const first = await page();
  expect(first.snapshots.map(({ snapshot }) => snapshot)).toEqual(
    Array.from({ length: 15 }, (_, place) => String(20 - place)),
  );
  const second = await page(`/datasets/flights.clean?before=${first.next}`);
  expect(second.snapshots.map(({ snapshot }) => snapshot)).toEqual(["5", "4", "3", "2", "1"]);
  expect(second.next).toBeNull();
  expect(first.rowsOverTime).toMatchObject({ unit: "day" });
  expect(await html()).toContain('data-texts="1 May 2024: +1 rows, 1 in all|');
});

it("has the lineage of its newest snapshot both ways, or of the one that is asked for", async () => {
  const raw = await make("ingest", { dataset: "flights.raw", snapshot: 1 });
  const clean = await make("clean", { dataset: "flights.clean", snapshot: 2, reads: [["flights.raw", 1]] });
  const reads = [
    ["flights.clean", 2],
    ["ref.airports", 9],
  ] as const;
  const report = await make("report", { dataset: "flights.monthly", snapshot: 3, key: "2024-05", reads });
  const { lineage } = await page();
  expect(lineage!.edges.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual(
    [
      `${raw}/load -> flights.raw@1`,
      `flights.raw@1 -> ${clean}/load`,
      `${clean}/load -> flights.clean@2`,
      `flights.clean@2 -> ${report}/load`,
      `ref.airports@9 -> ${report}/load`,
      `${report}/load -> flights.monthly@3`,
    ].sort(),
  );
  expect(lineage!.nodes.find(({ id }) => id === "ref.airports@9")).toMatchObject({ partition: null });
  expect(await html()).toContain("<title>Snapshot 9 of ref.airports: not made by Orca</title>");
  const back = await page("/datasets/flights.clean?direction=back");
  expect(back.lineage!.nodes.map(({ id }) => id)).not.toContain("flights.monthly@3");
  const ofRaw = await page("/datasets/flights.raw?snapshot=1&direction=back");
  expect(ofRaw.lineage!.edges).toEqual([{ from: `${raw}/load`, to: "flights.raw@1" }]);
  expect((await page("/datasets/ref.airports")).lineage).toMatchObject({ snapshot: "9" });
});

it("says that there is more lineage than is shown", async () => {
  await make("clean", { dataset: "flights.clean", snapshot: 2 });
  for (let n = 0; n < 20; n++)
    await make("report", { dataset: "flights.monthly", snapshot: 100 + n, reads: [["flights.clean", 2]] });
  const { lineage } = await page();
  expect(lineage!.isCut).toBe(true);
  expect(lineage!.nodes.length).toBeLessThanOrEqual(60);
  expect(await html()).toContain("There is more than is shown");
});

it("has its first rows once somebody has asked for them", async () => {
  expect(await html()).toContain("Not read yet.");
  const posted = await ui.post("/datasets/flights.clean/preview", {});
  expect([posted.status, posted.headers.get("location")]).toEqual([303, "/datasets/flights.clean#preview"]);
  const shown = await html();
  expect(shown).toContain("2 of 1,000 rows");
  expect(shown).toContain('<td class="n">41</td>');
  expect((await page()).preview?.table?.rows).toEqual([["41"], [null]]);
  failing = true;
  await ui.post("/datasets/flights.clean/preview", {});
  expect(await html()).toContain("there is no table &lt;yet&gt;");
});

it("isn't there if no pipeline has it and no run has written it", async () => {
  const answer = await ui.get("/datasets/lake.gone");
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("there is no dataset &#39;lake.gone&#39;");
  expect((await ui.post("/datasets/lake.gone/preview", {})).status).toBe(404);
  expect((await ui.get("/datasets/flights.clean?snapshot=99999999999999999999")).status).toBe(400);
});
