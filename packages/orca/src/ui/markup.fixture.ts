import { html } from "hono/html";
import type { Child } from "hono/jsx";

/** What is made of JSX. */
export async function markupOf(child: Child): Promise<string> {
  return (await html`${child}`).toString(); // it is an object, which holds a text
}
