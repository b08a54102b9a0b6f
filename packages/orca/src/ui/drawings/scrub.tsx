/** What moves along a drawing's axis, by pointer and keys, and has the place told by the readout of its name. */

/** @param at the place that it begins at. @param isOn whether its line is to be seen from the beginning. */
export function Scrub(given: {
  readonly id: string;
  readonly name: string;
  /** What is told of each place. */
  readonly texts: readonly string[];
  readonly at: number;
  readonly isOn?: boolean;
  /** Where Enter goes to: an address, and what of each place follows on it. */
  readonly go?: { readonly to: string; readonly places: readonly string[] } | undefined;
}) {
  const { id, name, texts, at, isOn = false, go } = given;
  return (
    <div
      class={isOn ? "scrub on" : "scrub"}
      id={id}
      role="slider"
      tabindex={0}
      aria-label={name}
      aria-valuemin="0"
      aria-valuemax={texts.length - 1}
      aria-valuenow={at}
      aria-valuetext={texts[at]}
      data-texts={texts.join("|")}
      data-go={go?.to}
      data-at={go?.places.join("|")}
    >
      <span />
    </div>
  );
}
