/** What can be done from the pages, in a real browser: each becomes a row, which the scheduler carries out. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { chipOf, eventually, isBrowserMissing, markDocument, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

const TIMEOUT = { timeout: 120_000 };

describe.skipIf(isBrowserMissing)("on the pages one can", () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite({ days: 3 }), openBrowser()]);
    for (let before = 4; before <= 15; before++) site.put(`${day(before)}.txt`, "5\n");
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    ({ page, faults } = await openPage(browser, site.url));
    return async () => {
      expect(faults).toEqual([]);
      await page.context().close();
    };
  });
  const dialog = () => page.locator("dialog[open]");
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
  const becomes = (state: string) => eventually(() => chipOf(page).textContent()).toBe(state);

  it("start a run, which is queued until the scheduler takes it", TIMEOUT, async () => {
    await page.goto("/pipelines/orders");
    await page.getByRole("link", { name: "Start a run" }).click();
    await dialog()
      .getByLabel("Partitions")
      .fill(`${day(4)}..${day(3)}`);
    await dialog().getByRole("button", { name: "Start the run" }).click();
    await page.waitForURL("**/runs/*");
    expect(await page.locator("#done").textContent()).toContain("is queued");
    await becomes("Failed");
    expect(await page.locator("#facts").innerText()).toContain(`${day(4)}..${day(3)}`);
  });

  it("run a step again from its drawer, as a run of its own", TIMEOUT, async () => {
    await page.goto("/runs/2");
    await page.locator(`[data-k="stored/${day(2)}"]`).click();
    await page.waitForURL(`**/runs/2/steps/stored/${day(2)}`);
    await page.locator("#drawer").getByRole("button", { name: "Rerun from here" }).click();
    await page.waitForURL((url) => url.pathname !== "/runs/2" && !url.pathname.includes("steps"));
    await becomes("Succeeded");
    expect(await page.locator("#actions").innerText()).toContain("(ui)");
  });

  it("cancel a run that is going on, and see it cancelled", TIMEOUT, async () => {
    site.put("wait", "");
    onTestFinished(() => site.put("wait", undefined)); // or else the runs of the others wait too
    await site.orca("backfill", "orders", day(6), "--rerun");
    await page.goto("/runs?state=running");
    await page
      .locator("#list tr", { hasText: day(6) })
      .locator("th a")
      .click({ timeout: 40_000 });
    await becomes("Running");
    const isSame = await markDocument(page);
    await press("Cancel run");
    await dialog().getByRole("button", { name: "Keep it running" }).click();
    expect(await isSame()).toBe(true);
    await press("Cancel run");
    await dialog().getByRole("button", { name: "Cancel run" }).click();
    await eventually(() => page.locator("#done").textContent()).toContain("asked to stop");
    await becomes("Cancelled");
  });

  it(
    "backfill days by the pointer: what is dragged over is what is asked for, and what is queued is said before",
    TIMEOUT,
    async () => {
      await page.goto("/pipelines/orders");
      const [first, last] = [8, 9].map((before) => page.locator(`[data-k="${day(before)}"]`));
      await last!.click();
      await first!.click({ modifiers: ["Shift"] });
      expect(await page.locator("[data-act-n]").textContent()).toBe("2 days selected");
      await press("Backfill 2 not done");
      await eventually(() => dialog().locator("h1").textContent()).toBe("Backfill 2 days of orders");
      await dialog().getByRole("button", { name: "Queue 2 runs" }).click();
      await page.waitForURL("**/backfills/*");
      await becomes("Succeeded");
      expect(await page.locator("#runs tbody tr").count()).toBe(2);
    },
  );

  it("backfill days by the keyboard alone", TIMEOUT, async () => {
    await page.goto("/pipelines/orders");
    await page.locator("#cells [tabindex='0']").focus();
    for (let moves = 3; moves < 11; moves++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Tab");
    while ((await page.evaluate("document.activeElement.textContent")) !== "Backfill 2 not done")
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    while ((await page.evaluate("document.activeElement.textContent")) !== "Queue 2 runs")
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/backfills/*");
    await becomes("Succeeded");
    const text = await page.locator("#runs").innerText();
    for (const before of [11, 12]) expect(text).toContain(day(before));
  });

  it("cancel a backfill with all its runs, and see it cancelled", TIMEOUT, async () => {
    site.put("wait", "");
    onTestFinished(() => site.put("wait", undefined));
    await site.orca("backfill", "orders", `${day(15)}..${day(13)}`, "--max-runs", "1");
    await page.goto("/backfills");
    await page.locator("#list tbody th a").first().click();
    await becomes("Running");
    await press("Cancel backfill");
    await dialog().getByRole("button", { name: "Let it go on" }).click();
    expect(await page.locator("#done").count()).toBe(0);
    await press("Cancel backfill");
    await dialog().getByRole("button", { name: "Cancel backfill" }).click();
    await eventually(() => page.locator("#done").textContent()).toContain("2 runs won't start, 1 run asked to stop");
    await becomes("Cancelled");
    await eventually(() => page.getByRole("button", { name: "Cancel backfill" }).count()).toBe(0);
  });

  it("pause a pipeline, and end that", TIMEOUT, async () => {
    await page.goto("/pipelines/orders");
    await press("Pause");
    await eventually(() => page.locator("#head").innerText()).toContain("Paused");
    await press("Unpause");
    await eventually(() => page.locator("#head").innerText()).not.toContain("Paused");
    expect(await page.locator("#done").textContent()).toContain("isn't paused any more");
  });

  it("rebuild what is made from days of a dataset", TIMEOUT, async () => {
    await page.goto("/datasets/shop.orders");
    await page.getByRole("link", { name: "Rebuild what comes after" }).click();
    await dialog()
      .getByLabel("Partitions that have changed")
      .fill(`${day(2)}..${day(1)}`);
    await dialog().getByRole("button", { name: "See what it will run" }).click();
    await eventually(() => dialog().locator("tbody").innerText()).toContain("sums");
    await dialog().getByRole("button", { name: "Rebuild 1 pipeline" }).click();
    await page.waitForURL("**/rebuilds/1");
    await becomes("Succeeded");
    expect(await page.locator("#levels").innerText()).toContain("sums");
  });
});
