/** Every page, in a real browser: for eyes in both themes, for hands on a small screen, and for those who use neither. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

const PAGES = [
  "/",
  "/pipelines/orders",
  "/pipelines/sums",
  "/pipelines/orders/start",
  `/pipelines/orders/backfill?keys=${day(20)}..${day(1)}`,
  "/runs",
  "/runs?state=failed",
  "/runs/1",
  `/runs/8/steps/read/${day(3)}`,
  "/datasets",
  "/datasets/shop.orders",
  "/backfills",
  "/backfills/1",
  "/rebuilds",
  "/rebuilds/1",
  "/datasets/shop.orders/rebuild",
  `/datasets/shop.orders/rebuild?keys=${day(1)}`,
  "/search?q=ord",
  "/register",
  "/login",
  "/nowhere",
];
const WIDTHS = [320, 390, 768, 1440];
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

describe.skipIf(isBrowserMissing)("the page", () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite(), openBrowser()]);
    await site.orca("rebuild", "shop.orders", day(1));
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  describe.each(PAGES)("%s", (path) => {
    it.each([
      ["light", 1440],
      ["dark", 390],
    ] as const)("is accessible in the %s theme, %i px wide", { timeout: 120_000 }, async (colorScheme, width) => {
      const viewport = { width, height: 900 };
      const { page, faults } = await openPage(browser, site.url, { colorScheme, viewport });
      await page.goto(path);
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
      expect(faults.filter((fault) => path !== "/nowhere" || !fault.includes("404"))).toEqual([]);
      await page.context().close();
    });

    it("fits each screen, and weighs little", { timeout: 60_000 }, async () => {
      const { page } = await openPage(browser, site.url);
      const answer = await page.goto(path);
      const html = await answer!.text();
      expect(Buffer.byteLength(html)).toBeLessThan(200_000);
      expect(html).not.toMatch(/ style="|<style|javascript:| on[a-z]+="|<script(?![^>]* src=)|undefined|NaN|\[object/);
      const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect(
          await page.evaluate("document.documentElement.scrollWidth - innerWidth"),
          `${width} px`,
        ).toBeLessThanOrEqual(0);
      }
      await page.context().close();
    });
  });
});
