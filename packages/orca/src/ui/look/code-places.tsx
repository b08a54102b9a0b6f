/** Where things are declared in the code. */
import type { Location } from "../../core/code-locations.ts";
import { type CodeCommit, lineHref } from "./addresses.ts";

/** `ingest.ts:12` of a file in whichever folder, which leads to the line where that is known. */
export function CodePlace({ code, at }: { readonly code: CodeCommit; readonly at: Location }) {
  const href = lineHref(code, at);
  const text = `${at.file.split("/").at(-1)}:${at.line}`;
  const whole = `${at.file}:${at.line}`;
  if (href === undefined)
    return (
      <span class="mono place" title={whole}>
        {text}
      </span>
    );
  return (
    <a class="mono place" href={href} title={whole} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
}

const PLACES_MAX = 12;

/** Of steps or tasks, by their names; nothing if none is known. */
export function CodePlaces({
  code,
  places,
}: {
  readonly code: CodeCommit;
  readonly places: readonly { readonly name: string; readonly at: Location | null }[];
}) {
  const known = places.flatMap(({ name, at }) => (at === null ? [] : [{ name, at }]));
  if (known.length === 0) return null;
  return (
    <p class="note">
      {"Code: "}
      {known.slice(0, PLACES_MAX).map(({ name, at }, i) => (
        <>
          {i > 0 && ", "}
          {name} <CodePlace code={code} at={at} />
        </>
      ))}
      {known.length > PLACES_MAX && ` and ${known.length - PLACES_MAX} more`}
    </p>
  );
}
