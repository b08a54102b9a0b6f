/** The line beside a grid that says what the cell under the pointer, or with the focus, is. */

const WORDS: Readonly<Record<string, string>> = {
  ok: "Succeeded",
  failed: "Failed",
  running: "Running",
  queued: "Queued",
  skipped: "Skipped",
  cancelled: "Cancelled",
  missing: "Missing",
  stale: "Stale code",
  none: "Not reached",
};

export function readOut(grid: HTMLElement, cell: HTMLElement): void {
  const line = grid.closest("section")?.querySelector("[data-readout='']");
  if (line === null || line === undefined) return;
  const { k: key = "", s: state = "none", say, run } = cell.dataset;
  const what = document.createElement("b");
  what.textContent = titleOf(key);
  const words = document.createElement("span");
  words.textContent = say ?? (run === undefined ? "" : `run ${run}`);
  line.replaceChildren(what, markOf(state), words);
}

/** `Sat 13 Jun 2026`, `June 2026`, or `step key`. */
function titleOf(key: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(key);
  if (!isDay && !/^\d{4}-\d\d$/.test(key)) return key.replace("/", " ");
  const date = new Date(isDay ? key : `${key}-01`);
  const options: Intl.DateTimeFormatOptions = isDay
    ? { weekday: "short", day: "numeric", month: "short", year: "numeric" }
    : { month: "long", year: "numeric" };
  return date.toLocaleDateString("en-GB", { ...options, timeZone: "UTC" }).replace(",", "");
}

const SVG = "http://www.w3.org/2000/svg";

function markOf(state: string): HTMLElement {
  const mark = document.createElement("span");
  mark.className = `st st-${state}`;
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("class", "i");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${state}`);
  icon.append(use);
  mark.append(icon, WORDS[state] ?? state);
  return mark;
}
