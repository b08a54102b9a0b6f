/**
 * Scrubbers: a line along a time axis or over bins, and the readout says what is there. Each is one tab stop, moved by the pointer or by keys.
 *
 * `data-texts` has a sentence a place, separated by `|`, each `<what>: <what is there>`. Where places have pages, `data-at` has what each of them is
 * called, separated by `|`, and `data-go` the address that this is put at the end of: Enter and a click go there.
 */

/** Where each was left, by its id: a live page replaces them. */
const left = new Map<string, number>();

export function scrubAlongAxes(): void {
  showLines();
  document.addEventListener("pointermove", (event) => {
    const scrub = scrubAt(event.target);
    if (scrub !== undefined) moveTo(scrub, placeOf(scrub, event.clientX));
  });
  document.addEventListener("focusin", (event) => {
    const scrub = scrubAt(event.target);
    // one that a live page has replaced has the focus again before it is drawn where it was left
    if (scrub !== undefined) moveTo(scrub, left.get(scrub.id) ?? now(scrub));
  });
  document.addEventListener("click", (event) => {
    const scrub = scrubAt(event.target);
    if (scrub !== undefined) go(scrub);
  });
  document.addEventListener("keydown", (event) => {
    const scrub = scrubAt(event.target);
    if (scrub === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") return go(scrub);
    const to = placeAfter(event.key, now(scrub), textsOf(scrub).length);
    if (to === undefined) return;
    moveTo(scrub, to);
    event.preventDefault();
  });
}

/** Draws the line of each where it was left: also of those that a live page has replaced. */
export function showLines(): void {
  for (const scrub of document.querySelectorAll<HTMLElement>(".scrub")) {
    const place = left.get(scrub.id);
    if (place === undefined) setLine(scrub, now(scrub));
    else moveTo(scrub, place);
  }
}

function scrubAt(target: EventTarget | null): HTMLElement | undefined {
  return (target as Element | null)?.closest?.<HTMLElement>(".scrub") ?? undefined;
}

function textsOf(scrub: HTMLElement): readonly string[] {
  return (scrub.dataset["texts"] ?? "").split("|");
}

function now(scrub: HTMLElement): number {
  return Number(scrub.getAttribute("aria-valuenow"));
}

function placeOf(scrub: HTMLElement, x: number): number {
  const box = scrub.getBoundingClientRect();
  return Math.floor(((x - box.left) / box.width) * textsOf(scrub).length);
}

function placeAfter(key: string, place: number, places: number): number | undefined {
  const tenth = Math.max(1, Math.round(places / 10));
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return place - 1;
    case "ArrowRight":
    case "ArrowUp":
      return place + 1;
    case "PageDown":
      return place - tenth;
    case "PageUp":
      return place + tenth;
    case "Home":
      return 0;
    case "End":
      return places - 1;
    default:
      return undefined;
  }
}

function moveTo(scrub: HTMLElement, wanted: number): void {
  const texts = textsOf(scrub);
  const place = Math.max(0, Math.min(texts.length - 1, wanted));
  const text = texts[place] ?? "";
  left.set(scrub.id, place);
  scrub.setAttribute("aria-valuenow", String(place));
  scrub.setAttribute("aria-valuetext", text);
  setLine(scrub, place);
  const colon = text.indexOf(": ");
  const [what, words] = [document.createElement("b"), document.createElement("span")];
  [what.textContent, words.textContent] = [text.slice(0, Math.max(0, colon)), text.slice(colon < 0 ? 0 : colon + 2)];
  document.querySelector(`[data-readout~="${CSS.escape(scrub.id)}"]`)?.replaceChildren(what, words);
}

/** In the middle of a bin; on an axis from its first place to its last. */
function setLine(scrub: HTMLElement, place: number): void {
  const places = textsOf(scrub).length;
  const part = scrub.closest(".bins") === null ? place / Math.max(1, places - 1) : (place + 0.5) / places;
  scrub.querySelector("span")?.style.setProperty("left", `${100 * part}%`);
}

function go(scrub: HTMLElement): void {
  const at = scrub.dataset["at"]?.split("|")[now(scrub)];
  if (at !== undefined)
    location.href = `${scrub.dataset["go"] ?? ""}${encodeURIComponent(at)}#${scrub.closest("section")?.id ?? ""}`;
}
