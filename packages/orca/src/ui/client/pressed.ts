/** What is pressed: a pointer that is down, or Space on a button. It has to be there when it is let go, or there is no click. */

let letGo: (() => void) | undefined;
let released: Promise<void> = Promise.resolve();

/** Settles when nothing is pressed, and what was has had its click. */
export async function whenReleased(): Promise<void> {
  await released;
}

export function noticePresses(): void {
  // a context menu can keep the pointer's end to itself, and so can another window
  document.addEventListener("pointerdown", ({ button }) => button === 0 && press());
  for (const end of ["pointerup", "pointercancel", "contextmenu"]) document.addEventListener(end, release);
  document.addEventListener("keydown", ({ key }) => key === " " && press());
  document.addEventListener("keyup", release);
  window.addEventListener("blur", release);
}

function press(): void {
  if (letGo === undefined) released = new Promise((resolve) => (letGo = resolve));
}

function release(): void {
  if (letGo !== undefined) setTimeout(letGo); // the click comes right behind the end of the press
  letGo = undefined;
}
