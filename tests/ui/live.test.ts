/** Pages that change by themselves: what is looked at, chosen and read stays as it was. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chipOf, eventually, isBrowserMissing, markDocument, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

const TIMEOUT = { timeout: 120_000 };
const GOING_ON = "select from orca.runs where status in ('queued', 'running')";
const LOW = { width: 1440, height: 420 };

describe.skipIf(isBrowserMissing)("a page", () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite({ days: 2 }), openBrowser()]);
    for (let before = 3; before <= 12; before++) site.put(`${day(before)}.txt`, "5\n");
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });
  afterEach(() => site.put("wait", undefined));
  /** Opens a run of a day once it goes on. */
  const openRunning = async (page: Page, before: number) => {
    await site.orca("backfill", "orders", day(before));
    const running = `select id::int from orca.runs where status = 'running' and '${day(before)}' = any(keys)`;
    await eventually(() => site.test.sql(running)).toHaveLength(1);
    const [run] = await site.test.sql<{ id: number }>(running);
    await page.goto(`/runs/${run!.id}`);
  };
  const stateOf = (page: Page, before: number) => page.locator(`[data-k="${day(before)}"]`).getAttribute("data-s");

  it("changes when something has happened, and keeps focus, selection and place", TIMEOUT, async () => {
    const { page, faults } = await openPage(browser, site.url, { viewport: LOW });
    await page.goto("/pipelines/orders");
    await page.locator(`[data-k="${day(9)}"]`).click();
    await page.locator(`[data-k="${day(8)}"]`).click({ modifiers: ["Shift"] });
    const isSame = await markDocument(page);
    const kept = async () =>
      await page.evaluate(
        "[document.activeElement.dataset.k, [...document.querySelectorAll('[aria-selected=true]')].map((c) => c.dataset.k).join(), scrollY]",
      );
    const before = await kept();
    expect(before).toEqual([day(8), `${day(9)},${day(8)}`, expect.any(Number)]);
    await site.orca("backfill", "orders", day(3));
    await eventually(() => stateOf(page, 3)).toBe("ok");
    expect(await kept()).toEqual(before);
    expect(await page.getByRole("button", { name: "Backfill 2 not done" }).isEnabled()).toBe(true);
    expect(await isSame()).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("follows a run to its end also where nothing went on when it was opened", TIMEOUT, async () => {
    const { page, faults } = await openPage(browser, site.url);
    await eventually(() => site.test.sql(GOING_ON)).toEqual([]);
    await page.goto("/pipelines/sums");
    await eventually(() => page.locator("#live").textContent()).toBe("Live: waiting for a run");
    const runs = page.locator("#runs tbody tr");
    const before = await runs.count();
    await site.orca("backfill", "sums", day(0).slice(0, 7), "--rerun");
    await eventually(() => runs.count()).toBe(before + 1);
    await eventually(() => runs.first().locator(".a-st").innerText()).toBe("Succeeded");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("says the states that it comes to, and no more; and that it has ended", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await site.orca("pause", "orders");
    await site.orca("backfill", "orders", day(4));
    await page.goto("/runs?state=queued");
    await page
      .locator("#list tr", { hasText: day(4) })
      .locator("th a")
      .click();
    await eventually(() => chipOf(page).textContent()).toBe("Queued");
    await page.evaluate(
      "window.said = []; new MutationObserver(() => said.push(document.querySelector('#say').textContent)).observe(document.querySelector('#say'), { childList: true })",
    );
    await site.orca("unpause", "orders");
    await eventually(() => page.locator("#live").textContent()).toBe("Ended");
    expect(await chipOf(page).textContent()).toBe("Succeeded");
    const said = await page.evaluate<readonly string[]>("said");
    expect(said.at(-1)).toBe("Succeeded");
    expect(said.filter((text) => !["Running", "Succeeded"].includes(text))).toEqual([]);
    await page.context().close();
  });

  it("leaves what is pressed until it is let go: a click isn't lost to a change", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.goto("/pipelines/orders");
    const asked = Promise.withResolvers<void>();
    const pressed = Promise.withResolvers<void>();
    await page.route("**/pipelines/orders", async (route) => {
      asked.resolve();
      await pressed.promise;
      await route.continue();
    });
    await site.orca("backfill", "orders", day(8));
    const [run] = await site.test.sql("select '/runs/' || max(id) as href from orca.runs where pipeline = 'orders'");
    await asked.promise;
    await page.getByRole("link", { name: "All runs" }).hover();
    await page.mouse.down();
    const answer = page.waitForResponse("**/pipelines/orders");
    pressed.resolve();
    expect((await (await answer).text()).includes(`href="${String(run!["href"])}"`)).toBe(true);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    await page.mouse.up();
    await page.waitForURL("**/runs?*");
    await page.context().close();
  });

  it("follows a log while its reader is at its end, and only then", TIMEOUT, async () => {
    site.put("wait", "");
    const { page } = await openPage(browser, site.url, { viewport: LOW });
    await openRunning(page, 5);
    await page.locator(`[data-k="read/${day(5)}"].running`).click({ timeout: 40_000 });
    const lines = page.locator(".drawer .log li");
    const body = page.locator(".drawer .body");
    const fromEnd = () => body.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    const place = () => body.evaluate((box) => box.scrollTop);
    await eventually(() => lines.count()).toBeGreaterThan(30);
    await eventually(async () => (await lines.last().boundingBox())!.y).toBeLessThan(LOW.height);
    expect(await page.getByLabel("Follow").isChecked()).toBe(true);
    await body.evaluate((box) => box.scrollTo({ top: 0 }));
    await eventually(() => page.getByLabel("Follow").isChecked()).toBe(false);
    const seen = await lines.count();
    await eventually(() => lines.count()).toBeGreaterThan(seen + 15);
    expect(await place()).toBe(0);
    await page.getByLabel("Follow").check();
    await eventually(fromEnd).toBeLessThan(200);
    site.put("wait", undefined);
    await eventually(() => page.locator("#attempt-log .note").textContent()).toContain("Complete");
    expect(await lines.last().textContent()).toContain("end");
    await page.context().close();
  });

  it("goes on counting while a step does and nothing changes", TIMEOUT, async () => {
    site.put("wait", "");
    const { page } = await openPage(browser, site.url);
    await openRunning(page, 11);
    await eventually(() => page.locator(`[data-k="read/${day(11)}"].running`).count()).toBe(1);
    await eventually(() => page.locator("#facts").innerText()).toMatch(/Elapsed\s+[1-5]\d(\.\d)? s/);
    expect(await page.locator(`[data-k="read/${day(11)}"].running`).count()).toBe(1);
    await page.context().close();
  });

  it("asks every two seconds where events don't come through", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.route("**/events?*", (route) => route.abort());
    await page.goto("/pipelines/orders");
    await eventually(() => page.locator("#live").textContent()).toBe("Every 2 s");
    const isSame = await markDocument(page);
    await site.orca("backfill", "orders", day(6));
    await eventually(() => stateOf(page, 6)).toBe("ok");
    expect(await isSame()).toBe(true);
    await page.context().close();
  });

  it("that isn't seen is fetched again when it is", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.goto("/pipelines/orders");
    const see = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
      );
    await see(true);
    await site.orca("backfill", "orders", day(7));
    const runs = `select from orca.runs where status = 'succeeded' and '${day(7)}' = any(keys)`;
    await eventually(() => site.test.sql(runs)).toHaveLength(1);
    expect(await stateOf(page, 7)).toBe("missing");
    await see(false);
    await eventually(() => stateOf(page, 7)).toBe("ok");
    await page.context().close();
  });

  it("keeps the place along an axis that has the focus", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.goto("/runs");
    const axis = page.locator(".scrub").first();
    await axis.focus();
    await page.keyboard.press("Home");
    expect(await axis.getAttribute("aria-valuenow")).toBe("0");
    await page.evaluate("document.querySelector('.scrub').isOld = true");
    await site.orca("backfill", "orders", day(10));
    await eventually(() => page.evaluate("document.querySelector('.scrub').isOld === true")).toBe(false);
    expect(await axis.getAttribute("aria-valuenow")).toBe("0");
    expect(await page.evaluate("document.activeElement === document.querySelector('.scrub')")).toBe(true);
    await page.context().close();
  });
});
