/** A real Chromium, which tests of the pages need: Debian's, or the one that `CHROMIUM` names. */
import { existsSync } from "node:fs";
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
