import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testUi, type TestUi } from "../ui.fixture.ts";
import { addRun, LOAD_AND_SUM } from "./run.fixture.ts";

interface RunJson {
  readonly run: { readonly status: string };
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly bins: { readonly bins: readonly object[] } | null;
  readonly listed: { readonly partitions: readonly string[]; readonly after: string | null } | null;
}

describe("a run's page", () => {
  let ui: TestUi;
  beforeAll(async () => {
    ui = await testUi({ now: () => new Date() });
    await ui.register("lake", LOAD_AND_SUM);
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it("says what failed before its steps, with the way to the attempt", async () => {
    const run = await addRun(ui, {
      status: "failed",
      keys: ["2024-01-01", "2024-01-02", "2024-01-03"],
      steps: { "2024-01-01": "succeeded", "2024-01-02": "failed", "2024-01-03": "succeeded", "": "skipped" },
    });
    const html = await ui.page(`/runs/${run}`);
    const [failed, steps] = [html.indexOf("load failed for 2024-01-02"), html.indexOf('id="steps"')];
    expect(failed).toBeGreaterThan(0);
    expect(steps).toBeGreaterThan(failed);
    expect(html).toContain("Error: no rows in 2024-01-02");
    expect(html).toContain(`href="/runs/${run}/steps/load/2024-01-02"`);
    expect(html).toContain("2 of 4 steps done, 1 failed, 1 skipped");
    expect(html).not.toContain("data-topics");
    expect(html).toMatch(/tabindex="0" data-k="load\/2024-01-02"/);
  });

  it("says of a step that was tried again how long its last attempt took", async () => {
    const run = await addRun(ui, { status: "succeeded", keys: ["2024-01-01"], steps: { "2024-01-01": "succeeded" } });
    await ui.test.sql("update orca.attempts set status = 'failed', error = 'no' where run = $1", [run]);
    await ui.test.sql(
      `insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at)
       select run, step, partition, 2, 'succeeded', owner, '2100-06-01T10:00:00Z', '2100-06-01T10:00:07Z' from orca.attempts where run = $1`,
      [run],
    );
    await ui.test.sql("update orca.steps set attempts = 2, ended_at = '2100-06-01T10:00:07Z' where run = $1", [run]);
    expect(await ui.json(`/runs/${run}`)).toMatchObject({
      cells: [{ attempts: 2, startedAt: "2100-06-01T10:00:00.000Z", endedAt: "2100-06-01T10:00:07.000Z" }],
    });
    expect(await ui.page(`/runs/${run}`)).toContain("1 done, 7.0 s each");
  });

  it("counts also what isn't reached yet, and is live while it goes on", async () => {
    const run = await addRun(ui, { keys: ["2024-01-01", "2024-01-02"], steps: { "2024-01-01": "running" } });
    expect(await ui.json(`/runs/${run}`)).toMatchObject({ total: 3, counts: { running: 1, succeeded: 0 }, bins: null });
    const html = await ui.page(`/runs/${run}`);
    expect(html).toContain(`data-topics="run:${run} steps:lake:${run}"`);
    expect(html).toContain(`action="/runs/${run}/cancel"`);
    expect(html).not.toContain('data-open="resume"');
  });

  it("has bins for many partitions, and a list of those that need someone, by their names", async () => {
    const keys = Array.from({ length: 450 }, (_, i) => `k${String(i).padStart(3, "0")}`);
    const isFailed = (i: number) => i % 4 === 3;
    const run = await addRun(ui, {
      keys: keys.toReversed(),
      steps: Object.fromEntries(keys.slice(0, 400).map((key, i) => [key, isFailed(i) ? "failed" : "succeeded"])),
    });
    const first = (await ui.json(`/runs/${run}`)) as RunJson;
    expect(first).toMatchObject({ total: 451, counts: { succeeded: 300, failed: 100 } });
    expect(first.bins!.bins).toHaveLength(150); // 3 partitions each, as 200 bins would need 2.25
    const failed = keys.slice(0, 400).filter((_, i) => isFailed(i));
    expect(first.listed).toMatchObject({ partitions: failed.slice(0, 50), after: failed[49] });
    const next = (await ui.json(`/runs/${run}?partitions=failed&after=${failed[49]}`)) as RunJson;
    expect(next.listed).toMatchObject({ partitions: failed.slice(50), after: null });
    const some = (await ui.json(`/runs/${run}?partitions=all&prefix=k44`)) as RunJson;
    expect(some.listed!.partitions).toEqual(keys.slice(440));
    const html = await ui.page(`/runs/${run}`);
    expect(html).toContain("load, bar 150 of 150: 3 partitions from k447: 3 not reached");
  });

  it("counts a run of many partitions anew when it has ended", async () => {
    const keys = Array.from({ length: 70 }, (_, i) => `n${i}`);
    const run = await addRun(ui, { keys, steps: { n0: "running" } });
    expect(await ui.json(`/runs/${run}`)).toMatchObject({ counts: { running: 1, cancelled: 0 } });
    await ui.test.sql("update orca.steps set status = 'cancelled', ended_at = now() where run = $1", [run]);
    await ui.test.sql("update orca.runs set status = 'cancelled', owner = null, ended_at = now() where id = $1", [run]);
    expect(await ui.json(`/runs/${run}`)).toMatchObject({ counts: { running: 0, cancelled: 1 } });
  });

  it("isn't there for a number that no run has", async () => {
    expect((await ui.get("/runs/999999")).status).toBe(404);
    expect((await ui.get("/runs/x")).status).toBe(400);
  });
});
