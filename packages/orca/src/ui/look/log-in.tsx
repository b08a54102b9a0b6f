import { loginHref } from "./addresses.ts";
import type { Frame } from "./frame.ts";

/** Where there would be something to do: the way to it, and back. @param isFirst whether it is what one came for. */
export function LogIn(given: { readonly frame: Frame; readonly to?: string; readonly isFirst?: boolean }) {
  const { frame, to = "act", isFirst = false } = given;
  return (
    <a class={isFirst ? "btn pri" : "btn"} href={loginHref(frame.path)}>
      Log in to {to}
    </a>
  );
}
