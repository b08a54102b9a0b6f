/** What pages of other sites, texts from pipelines and scripts of the page itself can't do, as a browser sees to it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing, logIn, openBrowser, openPage } from "./browser.ts";
import { day, openSite, type Site } from "./site.ts";

const TIMEOUT = { timeout: 60_000 };

describe.skipIf(isBrowserMissing)("in a browser", () => {
  let site: Site;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite({ days: 3 }), openBrowser()]);
    await site.addUser("alice", "correct horse");
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  it("an error's text is text, wherever it is shown", TIMEOUT, async () => {
    const { page, faults } = await openPage(browser, site.url);
    let alerts = 0;
    page.on("dialog", (dialog) => (alerts++, dialog.dismiss()));
    for (const path of ["/", "/pipelines/orders", "/runs", "/runs/1", `/runs/1/steps/read/${day(3)}`]) {
      await page.goto(path);
      expect(await page.locator("script:not([src])").count()).toBe(0);
    }
    expect(await page.locator("#failed").innerText()).toContain("<script>alert(1)</script>");
    await page.goto("/runs/1");
    await page.locator(`[data-k="read/${day(3)}"]`).click();
    await page.locator("#drawer .err").waitFor();
    expect(await page.locator("#drawer .err").innerText()).toContain("<script>alert(1)</script>");
    await page.locator(`[data-k="stored/${day(3)}"]`).hover();
    await page.locator(`[data-k="read/${day(3)}"]`).focus();
    expect(await page.locator("#steps [data-readout]").innerText()).toContain("<script>");
    expect([alerts, faults]).toEqual([0, []]);
    await page.context().close();
  });

  it("a script that got into a page wouldn't run", TIMEOUT, async () => {
    const { page, faults } = await openPage(browser, site.url);
    await page.goto("/");
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }))",
    );
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(faults.join()).toContain("Content Security Policy");
    await page.context().close();
  });

  it("the session's cookie is out of reach of scripts and of other sites, and ends", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.goto("/runs");
    await logIn(page, "alice", "correct horse");
    expect(new URL(page.url()).pathname).toBe("/runs");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: "orca_session", httpOnly: true, sameSite: "Strict", path: "/" });
    expect(cookie!.expires).toBeGreaterThan(Date.now() / 1_000);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.getByLabel("alice: account").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Account").waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });

  it("a form of another site does nothing, though its visitor is logged in here", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.goto("/");
    await logIn(page, "alice", "correct horse");
    const other = createServer((_, answer) =>
      answer
        .setHeader("Content-Type", "text/html")
        .end(`<form method=post action="${site.url}/pipelines/orders/pause"><button>Win</button></form>`),
    ).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    for (const host of ["127.0.0.1", "localhost"]) {
      await page.goto(`http://${host}:${port}/`);
      await page.getByRole("button", { name: "Win" }).click();
      await page.getByText("doesn't come from a page of this site").waitFor();
    }
    expect(await site.test.sql("select from orca.pipelines where paused_at is not null")).toEqual([]);
    other.close();
    await page.context().close();
  });

  it("no page of another site has one of these within itself", TIMEOUT, async () => {
    const { page } = await openPage(browser, site.url);
    await page.setContent(`<iframe src="${site.url}/"></iframe>`);
    await page.waitForTimeout(0);
    const frame = page.frames()[1]!;
    await frame.waitForLoadState();
    expect(await frame.locator("#main").count()).toBe(0);
    await page.context().close();
  });
});
