/** Buttons that copy what they name. */
import { say } from "./say.ts";

const TOLD_MS = 1_500;

export function copyWhatIsNamed(): void {
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-copy]");
    if (button === null) return;
    void navigator.clipboard.writeText(button.dataset["copy"]!).then(() => {
      const label = button.textContent;
      button.textContent = "Copied";
      say("Copied");
      setTimeout(() => (button.textContent = label), TOLD_MS);
    });
  });
}
