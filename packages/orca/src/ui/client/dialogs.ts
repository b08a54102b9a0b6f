/** What is opened over a page: dialogs, which links and buttons name by `data-open`, and menus. */

/** Opens a dialog, if the page has it and it isn't open. */
export function openDialog(id: string): boolean {
  const dialog = document.getElementById(id);
  if (!(dialog instanceof HTMLDialogElement)) return false;
  if (!dialog.open) dialog.showModal();
  return true;
}

export function openWhatIsNamed(): void {
  document.addEventListener("click", (event) => {
    const target = event.target as Element;
    const opener = target.closest<HTMLElement>("[data-open]");
    if (opener !== null && openDialog(opener.dataset["open"]!)) event.preventDefault();
    if (target instanceof HTMLDialogElement) target.close(); // beside its content
    for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
  });
}

/** Closes the menus, and gives whoever had opened one the focus back. */
export function closeMenus(): void {
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
}

function openMenus(): NodeListOf<HTMLDetailsElement> {
  return document.querySelectorAll<HTMLDetailsElement>("details.menu[open]");
}
