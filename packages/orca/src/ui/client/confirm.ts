/** Forms that ask before they act: the page that says what will happen is shown in a dialog, rather than gone to. */
import { say } from "./say.ts";

export function confirmInPlace(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset["confirm"] === undefined) return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const params = new URLSearchParams(
      [...data].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
    );
    void ask(`${form.action}?${params}`);
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-confirm]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void ask(link.href);
  });
}

/** Where the page can't be shown in place, it is gone to. */
async function ask(address: string): Promise<void> {
  const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => undefined);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const parts = page?.querySelector("[data-dialog]");
  if (!parts) {
    location.href = address;
    return;
  }
  document.querySelector("#confirm")?.remove();
  const dialog = document.createElement("dialog");
  dialog.id = "confirm";
  dialog.setAttribute("aria-labelledby", "confirm-h");
  dialog.append(...[...parts.children].map((part) => document.importNode(part, true)));
  dialog.addEventListener("click", (event) => {
    if ((event.target as Element).closest("[data-keep]") === null) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  say(dialog.querySelector("h1")?.textContent ?? "");
}
