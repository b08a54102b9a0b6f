/** As somebody who is new here: sees what failed and why, puts it right, resumes it, and watches it succeed. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chipOf, eventually, isBrowserMissing, markDocument, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

describe.skipIf(isBrowserMissing)("somebody new", () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite(), openBrowser()]);
    await site.addUser("alice", "correct horse");
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  it(
    "finds a failed run, sees why it failed, puts that right, and has the run succeed",
    { timeout: 120_000 },
    async () => {
      const { page, faults } = await openPage(browser, site.url);
      await page.goto("/");
      const line = page.locator("#list tr", { hasText: "2 days failed" });
      await line.getByRole("link", { name: "orders" }).click();
      await eventually(() => chipOf(page).textContent()).toContain("2 days failed");
      await page
        .locator("#runs tr", { hasText: "Failed" })
        .filter({ hasText: day(3) })
        .getByRole("link")
        .click();
      const error = await page.locator("#failed").innerText();
      expect(error).toContain(`read failed for ${day(3)}`);
      expect(error).toContain(`${day(3)}.txt, line 2: that is no number of cents`);

      site.put(`${day(3)}.txt`, "1\n2\n");
      await page.getByRole("link", { name: "Log in to act" }).click();
      await page.getByLabel("Name").fill("alice");
      await page.getByLabel("Password").fill("correct horse");
      await page.getByRole("button", { name: "Log in" }).click();
      await page.waitForURL("**/runs/*");

      await site.orca("pause", "orders");
      await page.getByRole("button", { name: "Resume" }).click();
      await page
        .getByRole("dialog", { name: /^Resume run/ })
        .getByRole("button", { name: "Resume" })
        .click();
      await eventually(() => page.locator("#done").textContent()).toContain("is queued");
      expect(await chipOf(page).textContent()).toBe("Queued");
      const isSame = await markDocument(page);
      await site.orca("unpause", "orders");
      await eventually(() => chipOf(page).textContent()).toBe("Succeeded");
      await eventually(() => page.locator("#live").textContent()).toBe("Ended");
      expect(await page.locator("#failed").innerText()).toBe("");
      expect(await page.locator("#actions").innerText()).toContain("alice");
      expect(await isSame()).toBe(true);
      expect(faults).toEqual([]);
    },
  );
});
