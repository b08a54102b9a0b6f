/** Rows with checkboxes: how many are checked, all of a page at once, and what the bar below does with them. */

export function countChecks(): void {
  document.addEventListener("change", (event) => {
    const box = event.target as HTMLInputElement;
    const form = box.closest<HTMLFormElement>("form[data-checks]");
    if (form === null) return;
    if (box.dataset["checkAll"] !== undefined) for (const other of boxesOf(form)) other.checked = box.checked;
    showChecks(form);
  });
  showAllChecks();
}

/** Also of those that a live page has replaced. */
export function showAllChecks(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-checks]")) {
    const all = form.querySelector<HTMLInputElement>("[data-check-all]");
    if (all !== null) all.hidden = false;
    showChecks(form);
  }
}

function boxesOf(form: HTMLFormElement): readonly HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("input[type=checkbox][name]")];
}

function showChecks(form: HTMLFormElement): void {
  const checked = boxesOf(form).filter((box) => box.checked);
  const count = checked.length;
  const keys = `${count} key${count === 1 ? "" : "s"}`;
  form.querySelector(".act")?.classList.toggle("on", count > 0);
  const told = form.querySelector("[data-check-n]");
  if (told !== null) told.textContent = count === 0 ? "Nothing selected" : `${keys} selected`;
  for (const [name, word] of [
    ["backfill", "Backfill"],
    ["rerun", "Rerun"],
  ] as const) {
    const button = form.querySelector<HTMLButtonElement>(`[data-check-${name}]`);
    if (button === null) continue;
    button.textContent = count === 0 ? word : `${word} ${keys}`;
    button.disabled = count === 0;
  }
  const command = form.querySelector<HTMLElement>("[data-check-cli]");
  if (command !== null)
    command.textContent = `orca backfill ${command.dataset["checkCli"] ?? ""} ${checked.map((box) => box.value).join(",") || "…"}`;
}
