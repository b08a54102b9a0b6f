/** The dialog that searches: the server is asked as one types, and the newest question's answer counts. Arrows choose, Enter goes there. */
import { say } from "./say.ts";

/** A pause in typing of so long asks. */
const PAUSE_MS = 80;

interface Found {
  readonly kind: "pipeline" | "dataset" | "run" | "key";
  readonly name: string;
  readonly path: string;
  readonly words: string;
}

const ICONS: Readonly<Record<Found["kind"], string>> = { pipeline: "flow", dataset: "data", run: "run", key: "gather" };

export function searchAsOneTypes(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#palette");
  const input = dialog?.querySelector("input");
  const list = dialog?.querySelector<HTMLElement>("[role=listbox]");
  if (!dialog || !input || !list) return;
  let asking = new AbortController();
  let pause: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener("input", () => {
    asking.abort();
    asking = new AbortController();
    clearTimeout(pause);
    const { signal } = asking;
    pause = setTimeout(() => void ask(input.value.trim(), signal, input, list), PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      choose(input, list, event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
    } else if (event.key === "Enter") {
      const path = chosen(list)?.dataset["href"];
      if (path !== undefined) location.href = path;
      else if (input.value.trim() !== "") location.href = `/search?q=${encodeURIComponent(input.value.trim())}`;
      event.preventDefault();
    }
  });
  list.addEventListener("click", (event) => {
    const path = (event.target as Element).closest<HTMLElement>("[role=option]")?.dataset["href"];
    if (path !== undefined) location.href = path;
  });
  dialog.addEventListener("close", () => {
    asking.abort();
    clearTimeout(pause);
    input.value = "";
    show([], input, list);
  });
}

async function ask(text: string, signal: AbortSignal, input: HTMLInputElement, list: HTMLElement): Promise<void> {
  if (text === "") return show([], input, list);
  try {
    const answer = await fetch(`/search?format=json&q=${encodeURIComponent(text)}`, { signal });
    const { found } = answer.ok ? ((await answer.json()) as { readonly found: readonly Found[] }) : { found: [] };
    if (signal.aborted) return;
    show(found, input, list);
    say(found.length === 0 ? "Nothing found" : `${found.length} found`);
  } catch {
    // another question was asked, or the server is away: what was found before stays
  }
}

function show(found: readonly Found[], input: HTMLInputElement, list: HTMLElement): void {
  list.replaceChildren(...found.map(optionOf));
  input.setAttribute("aria-expanded", String(found.length > 0));
  mark(input, list, list.querySelector<HTMLElement>("[role=option]") ?? undefined);
}

function optionOf({ kind, name, path, words }: Found, place: number): HTMLElement {
  const option = document.createElement("li");
  option.role = "option";
  option.id = `found-${place}`;
  option.dataset["href"] = path;
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", "i dim");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${ICONS[kind]}`);
  icon.append(use);
  const what = document.createElement("small");
  what.textContent = words;
  option.append(icon, name, what);
  return option;
}

function choose(input: HTMLInputElement, list: HTMLElement, by: 1 | -1): void {
  const options = [...list.querySelectorAll<HTMLElement>("[role=option]")];
  const from = options.indexOf(chosen(list)!);
  mark(input, list, options[(from + by + options.length) % options.length]);
}

function chosen(list: HTMLElement): HTMLElement | undefined {
  return list.querySelector<HTMLElement>('[aria-selected="true"]') ?? undefined;
}

function mark(input: HTMLInputElement, list: HTMLElement, option: HTMLElement | undefined): void {
  for (const one of list.querySelectorAll("[role=option]")) one.ariaSelected = String(one === option);
  if (option === undefined) return input.removeAttribute("aria-activedescendant");
  input.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}
