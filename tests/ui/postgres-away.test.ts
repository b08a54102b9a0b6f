/** Postgres can't be reached: pages say so, and come back by themselves. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Proxy } from "../chaos/proxy.ts";
import { chipOf, eventually, isBrowserMissing, markDocument, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

describe.skipIf(isBrowserMissing)("while Postgres is away", () => {
  let site: Site;
  let browser: Browser;
  let proxy: Proxy;
  let isThere = true;
  beforeAll(async () => {
    browser = await openBrowser();
    site = await openSite({
      days: 2,
      async uiDatabase(url) {
        const server = new URL(url);
        const socketPath = `${server.searchParams.get("host")}/.s.PGSQL.${server.searchParams.get("port") ?? 5432}`;
        proxy = await Proxy.open({ socketPath, isReachable: () => isThere, gate: async () => {} });
        return `postgres://${server.username}@127.0.0.1:${proxy.port}${server.pathname}`;
      },
    });
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  it(
    "a page says so, whatever is asked for, and is itself again when Postgres is back",
    { timeout: 120_000 },
    async () => {
      const { page } = await openPage(browser, site.url);
      const live = (await openPage(browser, site.url)).page;
      await live.goto("/pipelines/orders");
      const isSame = await markDocument(live);
      isThere = false;
      proxy.cut();
      for (const path of ["/", "/runs", "/runs/1", "/pipelines/orders", "/datasets", "/backfills", "/search?q=o"]) {
        const answer = await page.goto(path);
        expect([path, answer?.status(), answer?.headers()["retry-after"]]).toEqual([path, 503, "5"]);
        expect(await page.locator("h1").textContent()).toBe("Postgres is away");
        expect(await page.locator("#beat").textContent()).toBe(""); // of the scheduler nothing is known
      }
      const json = await page.request.get("/runs?format=json");
      expect([json.status(), await json.json()]).toEqual([
        503,
        { error: { code: "database-unreachable", message: expect.stringContaining("can't be reached") as unknown } },
      ]);
      await page.goto("/runs/1");
      await eventually(() => live.locator("#live").textContent()).toBe("Trying again");

      isThere = true;
      await eventually(() => chipOf(page).textContent()).toBe("Succeeded");
      await eventually(() => live.locator("#live").textContent()).toContain("Live");
      site.put(`${day(3)}.txt`, "5\n");
      await site.orca("backfill", "orders", day(3));
      await eventually(() => live.locator(`[data-k="${day(3)}"]`).getAttribute("data-s")).toBe("ok");
      expect(await isSame()).toBe(true);
    },
  );
});
