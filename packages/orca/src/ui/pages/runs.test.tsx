import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testUi, type TestUi } from "../ui.fixture.ts";

interface Shown {
  readonly runs: readonly object[];
  readonly queued: readonly object[];
  readonly counts: object;
}

describe("the page of all runs", () => {
  let ui: TestUi;
  beforeAll(async () => {
    ui = await testUi();
    await ui.register("lake");
    await ui.test.sql(`
      insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at, ended_at)
      select gen_random_uuid(), 'lake', 1, case when n > 60 then 'queued' else 'failed' end, 'manual', array['2024-01-01'],
        case when n <= 60 then now() end, case when n <= 60 then now() end from generate_series(1, 72) n`);
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it("lists some that are queued, then the newest, and leads to older ones", async () => {
    const html = await ui.page("/runs");
    const ids = [...html.matchAll(/href="\/runs\/(\d+)"/g)].map(([, id]) => Number(id));
    expect(ids.slice(0, 12)).toEqual([72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 60, 59]);
    expect(html).toContain('href="/runs?state=queued"');
    expect(html).toContain('href="/runs?before=11"');
    const older = await ui.page("/runs?before=11");
    expect([...older.matchAll(/href="\/runs\/(\d+)"/g)].map(([, id]) => Number(id))).toEqual([
      10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(older).toContain("data-list");
    expect(older).not.toContain("data-topics");
  });

  it("says the same as JSON", async () => {
    const { runs, queued, counts } = (await ui.json("/runs")) as Shown;
    expect([runs.length, queued.length]).toEqual([50, 10]);
    expect(counts).toMatchObject({ queued: { count: 12, isMore: false }, failed: { count: 60, isMore: false } });
  });

  it("keeps what was asked for in the form and in its links", async () => {
    const html = await ui.page("/runs?state=failed&pipeline=lake&partition=2024-01-01&from=2020-01-01");
    expect(html).toContain('value="2020-01-01"');
    expect(html).toMatch(/<option value="lake" selected/);
    expect(html).toContain("before=11");
    expect(html).toContain("pipeline=lake&amp;partition=2024-01-01&amp;before=11");
  });

  it("refuses what it can't be asked for, in a sentence", async () => {
    for (const query of ["state=lost", "from=2024-02-30", "before=0", "trigger=x", `pipeline=${"x".repeat(300)}`]) {
      const answer = await ui.get(`/runs?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
    }
  });
});
