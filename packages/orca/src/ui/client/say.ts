/** Tells what has happened to whoever doesn't see it. */
export function say(text: string): void {
  const place = document.querySelector("#say");
  if (place) place.textContent = text;
}
