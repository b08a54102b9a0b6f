/** The drawer of an attempt: opened over its run's page, under its own address, so that it can be linked to and gone back from. */
import { isForPage } from "./keys.ts";
import { followLog } from "./log.ts";
import { say } from "./say.ts";

/** What gets the focus back when it is closed. */
let opener: HTMLElement | undefined;

export function openAttemptsBeside(): void {
  if (drawer() === null) return;
  followLog();
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-drawer], .matrix .c > a, a[data-close]");
    if (
      link === null ||
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.button !== 0
    )
      return;
    event.preventDefault();
    if (link.dataset["close"] !== undefined) close();
    else void open(link.href, link.closest(".drawer") === null ? (link.closest<HTMLElement>(".c") ?? link) : undefined);
  });
  document.addEventListener("orca:open", (event) => {
    const link = (event.target as Element).querySelector<HTMLAnchorElement>(":scope > a");
    if (link === null) return;
    event.preventDefault();
    void open(link.href, event.target as HTMLElement);
  });
  document.addEventListener("orca:moved", (event) => {
    const link = (event.target as Element).querySelector<HTMLAnchorElement>(":scope > a");
    if (link !== null && drawer()?.hidden === false) void open(link.href, event.target as HTMLElement, true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.querySelector("dialog[open]") === null) close();
    if ((event.key === "[" || event.key === "]") && isForPage(event) && isOn())
      document.querySelector<HTMLElement>(`.drawer [aria-keyshortcuts="${event.key}"]`)?.click();
  });
  addEventListener("popstate", () => {
    if (/^\/runs\/\d+\/steps\//.test(location.pathname)) void show(location.href);
    else hide();
  });
}

function drawer(): HTMLElement | null {
  return document.querySelector<HTMLElement>("#drawer");
}

/** Single keys can be switched off. */
function isOn(): boolean {
  return document.querySelector<HTMLInputElement>("[data-keys]")?.checked !== false;
}

async function open(href: string, from: HTMLElement | undefined, stays = false): Promise<void> {
  opener = from ?? opener;
  if (!(await show(href))) {
    location.href = href;
    return;
  }
  if (location.href !== href) history.pushState(null, "", href);
  if (!stays) drawer()?.focus();
  say(`Attempts of ${drawer()?.querySelector("h2")?.textContent ?? ""}`);
}

let asked = 0;

/** @returns whether it could be shown. */
async function show(href: string): Promise<boolean> {
  const now = ++asked;
  const answer = await fetch(href, { headers: { accept: "text/html" } }).catch(() => undefined);
  if (answer?.ok !== true) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("#drawer");
  if (fresh === null) return false;
  if (now !== asked) return true; // another was asked for meanwhile
  drawer()?.replaceWith(document.importNode(fresh, true));
  followLog();
  document.dispatchEvent(new CustomEvent("orca:replaced"));
  return true;
}

function close(): void {
  const open = drawer();
  if (open === null || open.hidden) return;
  const run = open.querySelector<HTMLAnchorElement>("a[data-close]")?.href;
  hide();
  if (run !== undefined) history.pushState(null, "", run);
  (opener?.isConnected === true ? opener : document.querySelector<HTMLElement>("#main"))?.focus();
}

function hide(): void {
  const open = drawer();
  if (open === null) return;
  open.hidden = true;
  open.replaceChildren();
  followLog();
}
