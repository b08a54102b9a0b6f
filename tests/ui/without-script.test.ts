/** Where a browser runs no script: links and forms do the same. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chipOf, eventually, isBrowserMissing, logIn, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

const TIMEOUT = { timeout: 120_000 };

describe.skipIf(isBrowserMissing)("without script", () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite({ days: 3 }), openBrowser()]);
    await site.addUser("alice", "correct horse");
    ({ page } = await openPage(browser, site.url, { javaScriptEnabled: false }));
    await page.goto("/");
    await logIn(page, "alice", "correct horse");
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });
  const becomes = async (state: string) =>
    await eventually(async () => {
      await page.reload();
      return await chipOf(page).textContent();
    }).toBe(state);

  it("a failed run is found, understood and resumed", TIMEOUT, async () => {
    await page.goto("/");
    await page.locator("#list").getByRole("link", { name: "orders" }).click();
    await page.locator("#runs tr", { hasText: "Failed" }).getByRole("link").first().click();
    expect(await page.locator("#failed").innerText()).toContain("line 2: that is no number of cents");
    await page.getByRole("link", { name: "Open attempt" }).click();
    expect(new URL(page.url()).pathname).toBe(`/runs/1/steps/read/${day(3)}`);
    expect(await page.locator(".drawer .log").innerText()).toContain("line 2");
    await page.getByRole("link", { name: "Close" }).click();
    site.put(`${day(3)}.txt`, "1\n2\n");
    await page.getByRole("button", { name: "Resume" }).click();
    expect(await page.locator("#done").innerText()).toContain("Run 1 is queued");
    await becomes("Succeeded");
  });

  it("days are chosen by their month or typed, and backfilled when that was confirmed", TIMEOUT, async () => {
    for (const before of [4, 5]) site.put(`${day(before)}.txt`, "7\n");
    await page.goto("/pipelines/orders");
    await page.locator(".cal .mo > a").first().click();
    expect(await page.getByRole("textbox", { name: "Partitions" }).inputValue()).toMatch(/^\d{4}-\d\d-\d\d\.\./);
    await page.getByRole("textbox", { name: "Partitions" }).fill(`${day(5)}..${day(4)}`);
    await page.getByRole("button", { name: "Backfill" }).click();
    await page.getByRole("button", { name: "Queue 2 runs" }).click();
    expect(await page.locator("#done").innerText()).toContain("2 runs over 2 partitions queued");
    await becomes("Succeeded");
  });

  it("a step is run again, and a run that goes on is cancelled", TIMEOUT, async () => {
    site.put("wait", "");
    await page.goto(`/runs/2/steps/read/${day(2)}`);
    await page.getByRole("button", { name: "Rerun from here" }).click();
    await becomes("Running");
    await page.getByRole("button", { name: "Cancel run" }).click();
    expect(await page.locator("#done").innerText()).toContain("asked to stop");
    await becomes("Cancelled");
    site.put("wait", undefined);
    expect(await page.locator("#actions").innerText()).toContain("alice");
  });

  it("something is searched for, and the theme changed", TIMEOUT, async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("sums");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByRole("link", { name: "sums" }).first().click();
    await page.waitForURL("**/pipelines/sums");
    await page.getByRole("button", { name: "Theme" }).click();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    expect(new URL(page.url()).pathname).toBe("/pipelines/sums");
  });
});
