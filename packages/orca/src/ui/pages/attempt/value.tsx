/** What a step was given, or gave, as text. */
import type { CutText } from "../../../state/pages/attempt.ts";
import { num } from "../../look/text.ts";

export function Value({ name, value }: { readonly name: string; readonly value: CutText | null }) {
  const isCut = value !== null && value.text.length < value.length;
  return (
    <>
      <p class="note">
        {name}
        {value === null && ": none"}
        {isCut && `: the first ${num(value.text.length)} of ${num(value.length)} characters`}
      </p>
      {value !== null && (
        <pre class="io" tabindex={0} aria-label={name}>
          {value.text}
        </pre>
      )}
    </>
  );
}
