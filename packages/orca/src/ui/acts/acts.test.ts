import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { step } from "../../core/described.fixture.ts";
import { addUser } from "../../state/users.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
  await ui.register("lake", { steps: [step([], ["lake.raw"])] });
});
afterEach(() => ui[Symbol.asyncDispose]());

/** Where an act leads, and what the page there tells of it. */
async function act(path: string, form: Readonly<Record<string, string>> = {}): Promise<readonly [string, string]> {
  const answer = await ui.post(path, form);
  expect(answer.status).toBe(303);
  const to = answer.headers.get("location")!;
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("orca_told="))!;
  expect(cookie).toContain("HttpOnly");
  return [to, decodeURIComponent(/orca_told=([^;]*)/.exec(cookie)![1]!)];
}
const actions = async () =>
  (await ui.test.sql<{ what: string }>("select actor || ' ' || action as what from orca.actions order by id")).map(
    ({ what }) => what,
  );

describe("somebody can ask", () => {
  it("for a run over partitions: it is queued", async () => {
    expect(await act("/pipelines/lake/start", { keys: "2024-01-01..2024-01-03" })).toEqual([
      "/runs/1",
      "Run 1 is queued: a scheduler starts it when there is a place.",
    ]);
    expect(await ui.runs()).toEqual(["queued manual lake 2024-01-01,2024-01-02,2024-01-03"]);
    expect(await actions()).toContain("(ui) start");
  });

  it("for a run to be cancelled, and to go on", async () => {
    await act("/pipelines/lake/start", { keys: "2024-01-01" });
    expect(await act("/runs/1/cancel")).toEqual(["/runs/1", "Run 1 is cancelled."]);
    await act("/runs/1/resume");
    expect(await ui.runs()).toEqual(["queued manual lake 2024-01-01"]);
    expect((await actions()).slice(-2)).toEqual(["(ui) cancel", "(ui) resume"]);
  });

  it("for a run's work to be done again, as a run of its own", async () => {
    await act("/pipelines/lake/start", { keys: "2024-01-01" });
    await ui.end(1);
    const [to] = await act("/runs/1/rerun", { step: "load", partition: "2024-01-01" });
    expect(to).toBe("/runs/2");
    expect(await ui.runs()).toEqual(["succeeded manual lake 2024-01-01", "queued manual lake 2024-01-01"]);
  });

  it("for a backfill, of which only what isn't done is queued", async () => {
    const [to, told] = await act("/pipelines/lake/backfill", { keys: "2024-01-01..2024-01-02" });
    expect([to, told]).toEqual(["/backfills/1", "Backfill 1: 2 runs over 2 partitions queued."]);
    const [, again] = await act("/pipelines/lake/backfill", { keys: "2024-01-01..2024-01-02" });
    expect(again).toBe(
      "Backfill 2: 0 runs over 0 partitions queued; 2 partitions in runs that are queued or going on.",
    );
  });

  it("for a pause, and its end", async () => {
    expect(await act("/pipelines/lake/pause")).toEqual(["/pipelines/lake", "lake is paused: its runs stay queued."]);
    expect(await ui.test.sql("select from orca.pipelines where paused_at is not null")).toHaveLength(1);
    await act("/pipelines/lake/unpause");
    expect(await ui.test.sql("select from orca.pipelines where paused_at is not null")).toHaveLength(0);
  });

  it("for all that is made from a dataset to be run anew", async () => {
    await ui.register("report", { steps: [step(["lake.raw"])] });
    const [to, told] = await act("/datasets/lake.raw/rebuild", { keys: "2024-01-01" });
    expect([to, told]).toEqual(["/rebuilds/1", "Rebuild 1: 1 pipeline to run anew, level by level."]);
    expect(await ui.runs()).toEqual(["queued rebuild report 2024-01-01"]);
  });
});

describe("somebody can cancel", () => {
  it("a backfill: what is queued of it is cancelled, what goes on is asked to stop", async () => {
    await act("/pipelines/lake/backfill", { keys: "2024-01-01..2024-01-03" });
    await ui.take(1);
    expect(await ui.page("/backfills/1")).toContain('action="/backfills/1/cancel"');
    expect(await act("/backfills/1/cancel")).toEqual([
      "/backfills/1",
      "Backfill 1 is cancelled: 2 runs won't start, 1 run asked to stop.",
    ]);
    expect((await actions()).slice(-1)).toEqual(["(ui) cancel"]);
    await ui.end(1, "cancelled");
    expect(await act("/backfills/1/cancel")).toEqual(["/backfills/1", "No run of backfill 1 was queued or going on."]);
    const page = await ui.page("/backfills/1");
    expect(page).toContain("Backfill what is not done");
    expect(page).not.toContain('data-open="cancel"');
  });

  it("a rebuild, which goes on when a run of it is resumed", async () => {
    await ui.register("report", { steps: [step(["lake.raw"])] });
    await act("/datasets/lake.raw/rebuild", { keys: "2024-01-01" });
    expect(await act("/rebuilds/1/cancel")).toEqual(["/rebuilds/1", "Rebuild 1 is cancelled: 1 run won't start."]);
    expect(await ui.page("/rebuilds/1")).toContain('data-topics="queue:*');
    await ui.settle();
    const page = await ui.page("/rebuilds/1");
    expect(page).not.toContain("data-topics");
    expect(page).toContain('action="/runs/1/resume"');
    expect(page).toContain("when run 1 is resumed");
    await act("/runs/1/resume");
    expect(await ui.json("/rebuilds/1")).toMatchObject({ status: "running", endedAt: null });
    await ui.take();
    await ui.end(1);
    await ui.settle();
    expect(await act("/rebuilds/1/cancel")).toEqual(["/rebuilds/1", "Rebuild 1 had succeeded already."]);
  });
});

describe("what is asked for", () => {
  it("is told on the page that it leads to, whatever the page before fetches of itself meanwhile", async () => {
    const cookie = "orca_told=It%20is%20noted.";
    const fetched = await ui.get("/runs", { cookie, "sec-fetch-mode": "cors" });
    expect([await fetched.text(), fetched.headers.getSetCookie()]).toEqual([
      expect.not.stringContaining("It is noted."),
      [],
    ]);
    const led = await ui.get("/runs", { cookie, "sec-fetch-mode": "navigate" });
    expect(await led.text()).toContain("It is noted.");
    expect(led.headers.getSetCookie().join()).toContain("orca_told=;");
  });

  it("is told as JSON to who wants that", async () => {
    const answer = await ui.post("/pipelines/lake/pause", {}, { accept: "application/json" });
    expect(await answer.json()).toEqual({ told: "lake is paused: its runs stay queued.", to: "/pipelines/lake" });
  });

  it("wrongly gets a sentence, and nothing is done", async () => {
    for (const [path, form, status] of [
      ["/pipelines/nope/start", { keys: "2024-01-01" }, 404],
      ["/pipelines/lake/start", {}, 400],
      ["/pipelines/lake/start", { keys: "2024-13-01" }, 400],
      ["/runs/99/cancel", {}, 404],
      ["/backfills/99/cancel", {}, 404],
      ["/rebuilds/99/cancel", {}, 404],
      ["/runs/x/resume", {}, 400],
    ] as const) {
      const answer = await ui.post(path, form, { accept: "application/json" });
      expect([path, answer.status]).toEqual([path, status]);
      expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/\w/) as unknown } });
    }
    expect(await ui.runs()).toEqual([]);
  });

  it("takes a login once there is a user, and is on record as theirs", async () => {
    await addUser(ui.database, { name: "alice", password: "correct horse", actor: "root" });
    const from = { referer: "http://127.0.0.1:8270/pipelines/lake?step=load" };
    const refused = await ui.post("/pipelines/lake/pause", {}, from);
    expect(refused.headers.get("location")).toBe("/login?back=%2Fpipelines%2Flake%3Fstep%3Dload");
    expect((await ui.post("/pipelines/lake/pause", {}, { accept: "application/json" })).status).toBe(401);
    const login = await ui.post("/login", { name: "alice", password: "correct horse" });
    const cookie = login.headers.getSetCookie()[0]!.split(";")[0]!;
    await ui.post("/pipelines/lake/pause", {}, { cookie });
    expect((await actions()).slice(-1)).toEqual(["alice pause"]);
  });
});
