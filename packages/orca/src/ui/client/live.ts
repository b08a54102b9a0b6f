/**
 * Live pages: the server names what has changed, the page asks for itself again and replaces the parts that differ. Focus, selection and scroll
 * stay, and what is pressed until it is let go. Where events don't come, it asks every two seconds.
 */
import { whenReleased } from "./pressed.ts";
import { say } from "./say.ts";

const EVERY_MS = 2_000;
const words = document.querySelector<HTMLElement>("#live");
let events: EventSource | undefined;
let polling: ReturnType<typeof setInterval> | undefined;

export function followChanges(): void {
  if (takeTopics(document)) document.addEventListener("visibilitychange", refresh);
  else if (document.querySelector("[data-away]") !== null) retryUntilBack();
}

/** How changes are heard of, for the foot. */
let how = words?.dataset["words"] ?? "Live";

function show(text: string): void {
  if (words) words.textContent = text;
}

/** What is waited for changes, as the page does. */
function takeWords(fresh: string | undefined): void {
  if (words === null || fresh === undefined) return;
  if (how === words.dataset["words"]) how = fresh;
  words.dataset["words"] = fresh;
}

let topics: string | undefined;

/** Listens to what the page is about now: whether there is anything. */
function takeTopics(page: Document): boolean {
  const wanted = page.body.dataset["topics"] ?? "";
  if (wanted !== topics && wanted !== "") listen(wanted);
  topics = wanted;
  return wanted !== "";
}

function listen(wanted: string): void {
  events?.close();
  events = new EventSource(`/events?topics=${encodeURIComponent(wanted)}`);
  events.addEventListener("open", () => {
    clearInterval(polling);
    polling = undefined;
    how = words?.dataset["words"] ?? "Live";
    show(how);
    refresh(); // what changed between the page's making and now wasn't heard of
  });
  events.addEventListener("changed", refresh);
  events.addEventListener("error", () => {
    polling ??= setInterval(refresh, EVERY_MS);
    how = "Every 2 s";
    show(how);
  });
}

function end(): void {
  events?.close();
  clearInterval(polling);
  document.removeEventListener("visibilitychange", refresh);
  how = "Ended";
  show(how);
}

let isRefreshing = false;
let isStale = false;

/** One at a time; what changes meanwhile is fetched after it. */
function refresh(): void {
  if (isRefreshing) {
    isStale = true;
    return;
  }
  isRefreshing = true;
  isStale = false;
  void fetchAgain().finally(() => {
    isRefreshing = false;
    if (isStale) refresh();
  });
}

async function fetchAgain(): Promise<void> {
  if (document.hidden) return; // it is fetched when it is seen
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return tryAgain();
  if (!answer.ok) return;
  const text = await answer.text().catch(() => undefined);
  if (text === undefined) return tryAgain();
  await whenReleased();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  takeWords(fresh.querySelector<HTMLElement>("#live")?.dataset["words"]);
  show(how);
  const isOther = (page: Document) => page.querySelector("[data-whole]") === null;
  if (isOther(fresh) && !isOther(document)) return location.reload(); // of nothing yet, and now there is something
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]"))
    replace(part, fresh.getElementById(part.id));
  if (!takeTopics(fresh)) end();
}

let trying: ReturnType<typeof setTimeout> | undefined;

function tryAgain(): void {
  show("Trying again");
  clearTimeout(trying);
  trying = setTimeout(refresh, EVERY_MS);
}

function replace(part: HTMLElement, fresh: HTMLElement | null): void {
  if (fresh === null || part.outerHTML === fresh.outerHTML) return;
  if (part.contains(document.activeElement) && document.activeElement?.matches("input, select, textarea")) return;
  const focused = part.contains(document.activeElement) ? pathTo(document.activeElement!, part) : undefined;
  const before = part.querySelector(".chip")?.textContent;
  part.replaceWith(fresh);
  if (focused !== undefined) at(fresh, focused)?.focus();
  const after = fresh.querySelector(".chip")?.textContent;
  if (after !== null && after !== undefined && after !== before) say(after);
  fresh.dispatchEvent(new CustomEvent("orca:replaced", { bubbles: true }));
}

/** Where an element is below another: by places, unless it has a name of its own. */
function pathTo(element: Element, root: Element): readonly (number | string)[] {
  const path: (number | string)[] = [];
  for (let one = element; one !== root; one = one.parentElement!) {
    if (one.id !== "") return [one.id, ...path];
    path.unshift([...one.parentElement!.children].indexOf(one));
  }
  return path;
}

function at(root: Element, path: readonly (number | string)[]): HTMLElement | undefined {
  let one: Element | undefined = root;
  for (const place of path)
    one = typeof place === "string" ? (root.querySelector(`#${CSS.escape(place)}`) ?? undefined) : one?.children[place];
  return one as HTMLElement | undefined;
}

/** A page of a database that is away: asks until it is back. */
function retryUntilBack(): void {
  const count = document.querySelector<HTMLElement>("[data-count]");
  let left = Number(count?.textContent ?? 5);
  setInterval(() => {
    left--;
    if (count) count.textContent = String(Math.max(0, left));
    if (left > 0) return;
    left = 5;
    void fetch(location.href).then(
      (answer) => answer.status !== 503 && location.reload(),
      () => {},
    );
  }, 1_000);
}
