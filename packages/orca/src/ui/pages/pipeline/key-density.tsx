/** The states of all keys in order of name, as a strip of ranges. */
import { KEY_STATES, totalOf } from "../../../state/pages/key-states.ts";
import { Bins } from "../../drawings/bins.tsx";
import type { Part } from "../../drawings/share.tsx";
import { countWords, shownState } from "../../look/partition-state.tsx";
import { num, plural } from "../../look/text.ts";
import type { KeyBin } from "./keyed.ts";

/** So much of a key tells where one is. */
const HINT = 8;

const TICKS = 8;

export function Density({
  bins,
  go,
  total,
}: {
  readonly bins: readonly KeyBin[];
  readonly go: string;
  readonly total: number;
}) {
  const texts = bins.map(({ first, counts }, place) => {
    const next = bins[place + 1]?.first;
    const range = `${short(first, "the first")} to ${short(next ?? "", "the last")}`;
    return `${range.replaceAll("|", " ")}: ${plural(totalOf(counts), "key")}, ${countWords(counts)}`;
  });
  const [what = "", words = ""] = texts[0]?.split(": ") ?? [];
  const ticks = Array.from(
    { length: Math.min(TICKS, bins.length) },
    (_, place) => bins[Math.floor((place * bins.length) / TICKS)],
  );
  return (
    <>
      <p class="readout" data-readout="bins">
        <b>{what}</b>
        <span>{words}. Enter lists them.</span>
      </p>
      <Bins
        id="bins"
        bins={bins.map(({ first, counts }, place) => ({
          all: totalOf(counts),
          parts: partsOf(counts),
          text: texts[place]!,
          at: first,
        }))}
        go={go}
        name="Range of keys"
        label={`States of ${num(total)} keys in order of name`}
        height={56}
      />
      <p class="ticks">
        {ticks.map((bin) => (
          <span class="mono">{short(bin?.first ?? "", "…", 4)}</span>
        ))}
      </p>
    </>
  );
}

function partsOf(counts: KeyBin["counts"]): readonly Part[] {
  return KEY_STATES.map((state) => [shownState(state), counts[state] ?? 0]);
}

function short(key: string, none: string, length = HINT): string {
  if (key === "") return none;
  return key.length > length ? `${key.slice(0, length)}…` : key;
}
