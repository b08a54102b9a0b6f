import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testUi, type TestUi } from "../ui.fixture.ts";
import { addRun, LOAD_AND_SUM } from "./run.fixture.ts";

const line = (n: number) => `2026-11-30T01:02:03.456Z out   line ${n} <b>\n`;

describe("the page of an attempt", () => {
  let ui: TestUi;
  let folder: string;
  let run: number;
  const logOf = (partition: string) => join(folder, `${partition}.log`);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "orca-ui-"));
    ui = await testUi({ now: () => new Date() });
    await ui.register("lake", LOAD_AND_SUM);
    run = await addRun(ui, {
      keys: ["a", "b", "c", "d"],
      steps: { a: "succeeded", b: "failed", c: "running", d: "succeeded", "": "running" },
      log: (partition) => (partition === "a" ? undefined : logOf(partition || "sum")),
    });
    await writeFile(logOf("b"), Array.from({ length: 5_000 }, (_, n) => line(n)).join(""));
    await writeFile(logOf("c"), `${line(1)}${line(2)}2026-11-30T01:02:03.456Z out   no end`);
    await writeFile(logOf("sum"), line(1));
  });
  afterAll(async () => {
    await ui[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it("is its run's page with the attempt beside it: its error, and the ways to the partitions before and after", async () => {
    const html = await ui.page(`/runs/${run}/steps/load/b`);
    expect(html).toContain(`<h1>Run ${run}</h1>`);
    expect(html).toMatch(/<aside class="drawer" id="drawer" aria-label="Attempt" tabindex="-1">/);
    expect(html).toContain("Error: no rows in b");
    expect(html).toContain(`href="/runs/${run}/steps/load/a"`);
    expect(html).toContain(`href="/runs/${run}/steps/load/c"`);
    expect(await ui.page(`/runs/${run}`)).toMatch(/<aside[^>]* hidden/);
  });

  it("shows the end of a long log, and says how much is left out", async () => {
    const html = await ui.page(`/runs/${run}/steps/load/b`);
    const lines = [...html.matchAll(/line (\d+) &lt;b&gt;/g)].map(([, n]) => Number(n));
    expect(lines.at(-1)).toBe(4_999);
    expect(lines.length).toBeLessThan(2_000);
    expect(html).toMatch(/The last 6\d kB: cut, 1\d\d kB are before/);
    expect(html).not.toContain("<b>\n");
  });

  it("gives the whole log as text", async () => {
    const answer = await ui.get(`/runs/${run}/logs/load/b?attempt=1`);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await answer.text()).split("\n")).toHaveLength(5_001);
  });

  it("gives the lines that came since, whole ones alone, and says when no more will come", async () => {
    const { next } = (await ui.json(`/runs/${run}/logs/load/c?attempt=1&from=0`)) as { next: number };
    expect(next).toBe(line(1).length + line(2).length);
    expect(await ui.json(`/runs/${run}/logs/load/c?attempt=1&from=${next}`)).toMatchObject({
      lines: [],
      hasEnded: false,
    });
    await writeFile(logOf("c"), " here\n", { flag: "a" });
    expect(await ui.json(`/runs/${run}/logs/load/c?attempt=1&from=${next}`)).toMatchObject({
      lines: [{ at: "01:02:03.45", kind: "out", text: "no end here" }],
    });
    expect(await ui.json(`/runs/${run}/logs/load/b?attempt=1&from=999999999`)).toMatchObject({
      lines: [],
      hasEnded: true,
    });
  });

  it("has a gather step's at a path of its own", async () => {
    const html = await ui.page(`/runs/${run}/steps/sum`);
    expect(html).toContain(`data-livelog="/runs/${run}/logs/sum?attempt=1"`);
    expect(await (await ui.get(`/runs/${run}/logs/sum?attempt=1`)).text()).toBe(line(1));
  });

  it("says what there isn't", async () => {
    const paths = ["steps/load/z", "steps/none", "steps/load/a?attempt=2", "logs/load/a?attempt=1", "logs/load/z"];
    for (const path of paths) {
      const answer = await ui.get(`/runs/${run}/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    await rm(logOf("sum"));
    expect(await ui.page(`/runs/${run}/steps/sum`)).toContain("Not there yet");
    expect((await ui.get(`/runs/${run}/logs/sum`)).status).toBe(404);
  });
});
