import { loginHref } from "./addresses.ts";
import type { Frame } from "./frame.ts";

/** Where there would be something to do: the way to it, and back. */
export function LogIn({ frame, to = "act" }: { readonly frame: Frame; readonly to?: string }) {
  return (
    <a class="btn" href={loginHref(frame.path)}>
      Log in to {to}
    </a>
  );
}
