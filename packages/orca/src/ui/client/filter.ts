/** Fields that filter the rows of a list by their names, as one types. */
import { say } from "./say.ts";

export function filterLists(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>("[data-filter]"))
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      let shown = 0;
      for (const row of document.querySelectorAll<HTMLElement>("[data-name]")) {
        row.hidden = !row.dataset["name"]!.toLowerCase().includes(wanted);
        if (!row.hidden) shown++;
      }
      say(`${shown} shown`);
    });
}
