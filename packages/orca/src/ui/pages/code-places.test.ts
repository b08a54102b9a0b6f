/** Links from pages to the lines of code that they are of. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testUi, type TestUi } from "../ui.fixture.ts";
import { addRun, LOAD_AND_SUM } from "./run.fixture.ts";

const locations = {
  pipeline: { file: "lake.ts", line: 40 },
  steps: { load: { file: "steps/load all.ts", line: 3 } },
  tasks: { parse: { file: "tasks.ts", line: 7 } },
};
const source = { repository: "https://example.com/our/lake", commit: "c".repeat(40), dirty: false, locations };
const at = `https://example.com/our/lake/blob/${source.commit}`;

describe("the code of a pipeline, its steps and its tasks", () => {
  let ui: TestUi;
  beforeAll(async () => {
    ui = await testUi();
    await ui.register("lake", { ...LOAD_AND_SUM, source });
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it("is linked to its lines, at the commit that it is of", async () => {
    const html = await ui.page("/pipelines/lake");
    expect(html).toContain(`href="${at}/lake.ts#L40"`);
    expect(html).toContain(`href="${at}/steps/load%20all.ts#L3"`);
    expect(html).toContain(`href="${at}/tasks.ts#L7"`);
    expect(await ui.json("/pipelines/lake")).toMatchObject({
      code: { at: locations.pipeline },
      steps: [
        { name: "load", at: locations.steps.load },
        { name: "sum", at: null },
      ],
      tasks: [{ name: "parse", at: locations.tasks.parse }],
    });
  });

  it("is linked from runs to the lines of their own code, not of newer", async () => {
    const run = await addRun(ui, { keys: ["2024-01-01"], steps: {} });
    const newer = { ...locations, steps: { load: { file: "steps/load all.ts", line: 99 } } };
    const commit = "d".repeat(40);
    await ui.register("lake", { ...LOAD_AND_SUM, hash: "0x2", source: { ...source, commit, locations: newer } });
    expect(await ui.page("/pipelines/lake")).toContain(`/blob/${commit}/steps/load%20all.ts#L99"`);
    expect(await ui.page(`/runs/${run}`)).toContain(`href="${at}/steps/load%20all.ts#L3"`);
  });

  it.each([
    ["that differs from its commit", { dirty: true }],
    ["of no commit that is known", { commit: null }],
    ["whose repository isn't on the web", { repository: "javascript:alert(1)" }],
  ])("is named without a link where it is code %s", async (_, given) => {
    await ui.register("lake", { ...LOAD_AND_SUM, hash: "0x3", source: { ...source, ...given } });
    const html = await ui.page("/pipelines/lake");
    expect(html).toContain('<span class="mono place" title="lake.ts:40">lake.ts:40</span>');
    expect(html).not.toContain("/blob/");
    expect(html).not.toContain("javascript:alert(1)/");
  });
});
