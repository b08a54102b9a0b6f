import { ago, stamp } from "./text.ts";

/** An instant: how long ago, with the exact time in its title, which the page shows after `t` is pressed. */
export function Time({ at, now, words }: { readonly at: Date; readonly now: Date; readonly words?: string }) {
  return (
    <time datetime={at.toISOString()} title={stamp(at)}>
      {words ?? ago(at, now)}
    </time>
  );
}
