import type { IconName } from "./icons.ts";

/** A symbol beside words that say the same. */
export function Icon({ name, class: classes = "" }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={`i ${classes}`} aria-hidden="true" viewBox="0 0 16 16">
      <use href={`#i-${name}`} />
    </svg>
  );
}
