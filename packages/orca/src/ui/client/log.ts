/** A log that is still written: its new lines are added at its end, which is followed only while its reader is there. */

const EVERY_MS = 1_000;
/** A page keeps so many lines. */
const LINES_MAX = 5_000;
const NEAR = 24;

interface Lines {
  readonly lines: readonly { readonly at: string; readonly kind: string; readonly text: string }[];
  readonly next: number;
  readonly hasEnded: boolean;
}

/** The log that is followed. */
let followed: HTMLElement | null = null;

/** Follows the log that the page has now, if it has one that goes on. */
export function followLog(): void {
  const log = document.querySelector<HTMLElement>("[data-livelog]");
  if (log === followed) return;
  followed = log;
  if (log === null) return;
  const choice = document.querySelector<HTMLElement>("[data-follow-choice]");
  if (choice !== null) choice.hidden = false;
  const box = document.querySelector<HTMLInputElement>("[data-follow]");
  const scroller = log.closest<HTMLElement>(".body") ?? log;
  const toEnd = () => box?.checked === true && scroller.scrollTo({ top: log.offsetTop + log.offsetHeight });
  const isAtEnd = () => log.offsetTop + log.offsetHeight - scroller.scrollTop - scroller.clientHeight < NEAR;
  scroller.addEventListener("scroll", () => box !== null && (box.checked = isAtEnd()), { passive: true });
  box?.addEventListener("change", toEnd);
  toEnd();
  void keepUp(log, toEnd);
}

async function keepUp(log: HTMLElement, toEnd: () => unknown): Promise<void> {
  const isFollowed = () => log === followed && log.isConnected;
  while (isFollowed()) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    const hasEnded = await added(log);
    toEnd();
    if (hasEnded) return sayComplete();
  }
}

function sayComplete(): void {
  const note = document.querySelector("#attempt-log .note");
  if (note !== null) note.textContent = "Complete, UTC";
  document.querySelector("[data-follow-choice]")?.setAttribute("hidden", "");
}

/** Adds what is new. @returns whether nothing more will come. */
async function added(log: HTMLElement): Promise<boolean> {
  if (document.hidden) return false;
  const from = log.dataset["from"] ?? "0";
  const answer = await fetch(`${log.dataset["livelog"]!}&from=${from}`).catch(() => undefined);
  if (answer?.ok !== true) return false;
  const { lines, next, hasEnded } = (await answer.json()) as Lines;
  log.dataset["from"] = String(next);
  const list = log.querySelector("ol")!;
  list.append(...lines.map(lineOf));
  while (list.childElementCount > LINES_MAX) list.firstElementChild!.remove();
  return hasEnded && lines.length === 0;
}

const LOOKS: Readonly<Record<string, string>> = { err: "warn", stack: "error" };

function lineOf({ at, kind, text }: Lines["lines"][number]): HTMLElement {
  const line = document.createElement("li");
  const isBad = kind === "end" && /^(failed|crashed|timed-out)/.test(text);
  line.className = `l-${isBad ? "error" : (LOOKS[kind] ?? kind)}`;
  for (const part of [at, kind, text]) {
    const span = document.createElement("span");
    span.textContent = part;
    line.append(span);
  }
  return line;
}
