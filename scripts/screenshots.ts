/** `npm run screenshots -- http://127.0.0.1:8270`: pictures of the main pages for the README, of a playground that has gone on for some minutes. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { openBrowser } from "../tests/ui/browser.ts";

const FOLDER = path.resolve(import.meta.dirname, "../docs/images");
const PAGES = {
  pipelines: "/",
  pipeline: "/pipelines/flights_ingest",
  dataset: "/datasets/flights.clean",
} as const;

const site = process.argv[2] ?? "http://127.0.0.1:8270";
mkdirSync(FOLDER, { recursive: true });
const browser = await openBrowser();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
const page = await context.newPage();
for (const [name, address] of Object.entries({ ...PAGES, "failed-run": await failedRun() })) {
  await page.goto(site + address, { waitUntil: "load" });
  await page.waitForFunction("!document.body.innerText.includes('counting')");
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}
await browser.close();

async function failedRun(): Promise<string> {
  const answer = await fetch(`${site}/runs?state=failed&format=json`);
  const { runs } = (await answer.json()) as { readonly runs: readonly { readonly id: number }[] };
  if (runs[0] === undefined) throw new Error("no run has failed yet: wait until payments has run");
  return `/runs/${runs[0].id}`;
}
