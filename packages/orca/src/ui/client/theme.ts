/** The theme's button: changes it at once, and has the server write it into the pages to come. */
import { say } from "./say.ts";

type Theme = "system" | "light" | "dark";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

export function changeThemeInPlace(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-toggle]");
  button?.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const theme = button.value as Theme;
    void fetch("/theme", { method: "POST", body: new URLSearchParams({ theme, back: "/" }), redirect: "manual" });
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    button.value = NEXT[theme];
    button.title = button.ariaLabel = `Theme: ${theme === "system" ? "as the system" : theme}`;
    say(button.title);
  });
}
