/** Everything by keys: what the list of them promises. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chipOf, eventually, isBrowserMissing, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

const TIMEOUT = { timeout: 60_000 };

describe.skipIf(isBrowserMissing)("by keys one", () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite({ days: 4 }), openBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });
  beforeEach(async () => void ({ page } = await openPage(browser, site.url)));
  afterEach(() => page.context().close());
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = () => page.evaluate("document.activeElement.dataset.k ?? document.activeElement.textContent.trim()");
  const selected = () =>
    page.locator("#cells [aria-selected=true]").evaluateAll((cells) => cells.map((cell) => cell.dataset["k"]));

  it("searches, chooses what is found, and goes there", TIMEOUT, async () => {
    await page.goto("/");
    await press("/");
    await page.keyboard.type("sums");
    await eventually(() => page.getByRole("option").first().textContent()).toContain("sums");
    await press("ArrowDown", "ArrowUp", "Enter");
    await page.waitForURL("**/pipelines/sums");
    await press("/", "Escape");
    expect(await page.locator("dialog[open]").count()).toBe(0);
  });

  it("goes to each place", TIMEOUT, async () => {
    await page.goto("/search");
    for (const [key, path] of [
      ["r", "/runs"],
      ["d", "/datasets"],
      ["b", "/backfills"],
      ["p", "/"],
    ] as const) {
      await press("g", key);
      await page.waitForURL((url) => url.pathname === path);
    }
    expect(await page.locator("h1").textContent()).toBe("Pipelines");
  });

  it("goes through a list's rows, and opens one", TIMEOUT, async () => {
    await page.goto("/runs");
    const rows = await page.locator("#list th a").allTextContents();
    await press("j", "j", "k", "k", "k", "j");
    expect(await focused()).toBe(rows[1]);
    await press("Enter");
    await page.waitForURL(`**/runs/${rows[1]}`);
  });

  it("moves in a calendar, selects in it, and lets go of that", TIMEOUT, async () => {
    await page.goto("/pipelines/orders");
    await page.locator("#cells [tabindex='0']").focus();
    expect(await focused()).toBe(day(3));
    await press("ArrowLeft", "ArrowUp");
    expect(await focused()).toBe(day(11));
    expect(await page.locator("#partitions [data-readout]").textContent()).toContain("Missing");
    await press("ArrowDown", "ArrowRight", "PageUp");
    expect(await focused()).toBe(day(33));
    await press("PageDown", "Home");
    expect(await focused()).toBe(firstOf(day(3)));
    await press("Space", "Shift+ArrowRight", "Shift+ArrowRight");
    expect(await selected()).toHaveLength(3);
    await press("Escape");
    expect(await selected()).toEqual([]);
    await page.locator(`[data-k="${day(2)}"]`).focus();
    await press("Enter");
    await page.waitForURL("**/runs/*");
  });

  it("moves in the steps of a run, opens attempts, and comes back to where one was", TIMEOUT, async () => {
    await page.goto("/pipelines/orders/start");
    await site.orca("backfill", "orders", `${day(2)}..${day(1)}`, "--rerun");
    await page.goto("/runs/1");
    await page.locator(".matrix [tabindex='0']").focus();
    await press("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "Enter");
    await page.waitForURL("**/runs/1/steps/read/*");
    expect(await page.locator("#drawer").isVisible()).toBe(true);
    await press("Escape");
    expect(new URL(page.url()).pathname).toBe("/runs/1");
    expect(await focused()).toBe(`read/${day(4)}`);
    await page.goBack();
    await eventually(() => page.locator("#drawer").isVisible()).toBe(true);
  });

  it("goes from an attempt to the partition before and after, as far as there are some", TIMEOUT, async () => {
    await page.goto("/pipelines/orders/start");
    await page.getByLabel("Partitions").fill(`${day(4)}..${day(2)}`);
    await page.getByRole("button", { name: "Start the run" }).click();
    await eventually(() => chipOf(page).textContent()).toBe("Failed");
    await page.locator(`[data-k="read/${day(3)}"]`).focus();
    await press("Enter");
    const shown = () => page.locator("#drawer h2").textContent();
    await eventually(shown).toBe(`read ${day(3)}`);
    for (const [key, before] of [
      ["]", 2],
      ["[", 3],
      ["[", 4],
    ] as const) {
      await press(key);
      await eventually(shown).toBe(`read ${day(before)}`);
      expect(page.url()).toMatch(new RegExp(`/steps/read/${day(before)}$`));
    }
    expect(await page.locator("#drawer [aria-keyshortcuts='[']").count()).toBe(0);
    await press("[");
    expect(await shown()).toBe(`read ${day(4)}`);
    await press("?");
    expect(await page.locator("#help").innerText()).toMatch(/\[\s*\]\s*In an attempt: partition before and after/);
  });

  it("moves along a time axis", TIMEOUT, async () => {
    await page.goto("/runs");
    const axis = page.locator(".scrub").first();
    await axis.focus();
    await press("End");
    const last = await axis.getAttribute("aria-valuenow");
    await press("ArrowLeft");
    expect(Number(await axis.getAttribute("aria-valuenow"))).toBe(Number(last) - 1);
    await press("Home");
    expect(await axis.getAttribute("aria-valuenow")).toBe("0");
  });

  it("has exact times, and relative ones again", TIMEOUT, async () => {
    await page.goto("/runs/1");
    const time = page.locator("#facts time").first();
    const relative = await time.textContent();
    await press("t");
    expect(await time.textContent()).toBe(await time.getAttribute("title"));
    await press("t");
    expect(await time.textContent()).toBe(relative);
  });

  it("sees the list of keys, and turns single ones off, which is kept", TIMEOUT, async () => {
    await page.goto("/runs");
    await press("?");
    expect(await page.locator("#help").isVisible()).toBe(true);
    await page.getByLabel("Single-key shortcuts").focus();
    await press("Space", "Escape", "/");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.reload();
    await press("t", "?");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect(await page.locator("html[data-exact]").count()).toBe(0);
  });

  it("begins with a link to the content, and finds each grid to be one stop", TIMEOUT, async () => {
    await page.goto("/pipelines/orders");
    await press("Tab");
    expect(await focused()).toBe("Skip to content");
    await press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    expect(await page.locator("#cells [tabindex='0']").count()).toBe(1);
  });
});

const firstOf = (key: string) => `${key.slice(0, 7)}-01`;
