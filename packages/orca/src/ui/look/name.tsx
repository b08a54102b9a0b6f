/** How many of a name's last characters always show. */
const TAIL = 8;

/** A name that gives way in its middle where it lacks room: its head shrinks, its tail never does. */
export function Name({ text, tail = TAIL }: { readonly text: string; readonly tail?: number }) {
  if (text.length <= tail + 6) return <span class="mid">{text}</span>;
  return (
    <span class="mid" title={text}>
      <span>{text.slice(0, -tail)}</span>
      <span>{text.slice(-tail)}</span>
    </span>
  );
}
