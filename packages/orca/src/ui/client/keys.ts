/** Single keys, which the list of them can turn off (WCAG 2.1.4). */
import { closeMenus, openDialog } from "./dialogs.ts";
import { keep, kept } from "./kept.ts";
import { say } from "./say.ts";

const KEPT = "orca-keys";
/** After `g`. */
const PLACES: Readonly<Record<string, string>> = { p: "/", r: "/runs", d: "/datasets", b: "/backfills" };
const SECOND_KEY_MS = 1_200;

export function listenToKeys(): void {
  const box = document.querySelector<HTMLInputElement>("[data-keys]");
  if (box !== null) {
    box.checked = kept(KEPT) !== "off";
    box.addEventListener("change", () => keep(KEPT, box.checked ? undefined : "off"));
  }
  let goesSince = -Infinity;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeMenus();
    if (!isForPage(event) || box?.checked === false) return;
    const isSecond = event.timeStamp - goesSince < SECOND_KEY_MS;
    goesSince = event.key === "g" ? event.timeStamp : -Infinity;
    const place = isSecond ? PLACES[event.key] : undefined;
    if (place !== undefined) location.href = place;
    else if (event.key === "/" && openDialog("palette")) event.preventDefault();
    else if (event.key === "?") openDialog("help");
    else if (event.key === "t") exchangeTimes();
    else if (event.key === "j" || event.key === "k") moveInList(event.key === "j" ? 1 : -1);
  });
}

/** Not with a modifier, in a field that takes text, or in a dialog. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const target = event.target as Element;
  return (
    !target.matches("input:not([type=checkbox]), select, textarea") && document.querySelector("dialog[open]") === null
  );
}

/** Relative times become exact ones, and back. */
function exchangeTimes(): void {
  const isExact = document.documentElement.toggleAttribute("data-exact");
  showTimes();
  say(isExact ? "Exact times" : "Relative times");
}

/** Also in what a live page has replaced. */
export function showTimes(): void {
  const isExact = document.documentElement.hasAttribute("data-exact");
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[title]")) {
    if (isExact) time.dataset["relative"] ??= time.textContent;
    time.textContent = isExact ? time.title : (time.dataset["relative"] ?? time.textContent);
  }
}

/** To the next row of the page's list, or the one before. */
function moveInList(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("[data-list] tbody tr:not([hidden]) th a")];
  const from = links.indexOf(document.activeElement as HTMLElement);
  links[Math.max(0, Math.min(links.length - 1, from + by))]?.focus();
}
