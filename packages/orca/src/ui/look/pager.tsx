import type { Child } from "hono/jsx";

/** Below a list: what of it is shown, and the way to more. @param href of the next page, if there is one. */
export function Pager(given: { readonly children?: Child; readonly label: string; readonly href: string | undefined }) {
  return (
    <p class="pager">
      <span>{given.children}</span>
      {given.href !== undefined && (
        <a class="btn" href={given.href}>
          {given.label}
        </a>
      )}
    </p>
  );
}
