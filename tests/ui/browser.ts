/** A real Chromium, which tests of the pages need: Debian's, or the one that `CHROMIUM` names. */
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const PLACES = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where it is, if there is one. */
export const chromiumFile = PLACES.find((file) => file !== undefined && existsSync(file));

/** Where a continuous integration runs there has to be one: tests that are passed over there look as if they passed. */
export const isBrowserMissing = chromiumFile === undefined;
if (isBrowserMissing) {
  const sentence = "there is no Chromium: install it (apt-get install chromium), or set CHROMIUM to its file";
  if (process.env["CI"] !== undefined) throw new Error(sentence);
  process.stderr.write(`tests of the pages are passed over: ${sentence}\n`);
}

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: chromiumFile!, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** A page that tells what goes wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, and requests to other places than the site. */
  readonly faults: string[];
}

export async function openPage(
  browser: Browser,
  site: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: site, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(site) && !request.url().startsWith("data:"))
      faults.push(`asked for ${request.url()}`);
  });
  return { page, faults };
}

/** Logs in by the page's form, and is back where it began. */
export async function logIn(page: Page, name: string, password: string): Promise<void> {
  await page.goto(`/login?back=${encodeURIComponent(new URL(page.url()).pathname)}`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

/** Tells, when it is called, whether the page is still the same document: not loaded anew. */
export async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate("window.isSame = true");
  return async () => (await page.evaluate("window.isSame")) === true;
}

/** The chip of a page's head. */
export const chipOf = (page: Page) => page.locator("#head .chip");

/** Expects something of what becomes true by itself: a scheduler has to come by, and programs to run. */
export const eventually = (read: () => unknown) => expect.poll(read, { timeout: 40_000 });
