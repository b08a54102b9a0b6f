/** The keys of a pipeline: a strip over all of them, and a list of those that one looks for. */
import { hrefWith, pipelineHref } from "../../look/addresses.ts";
import type { KeyPage } from "../../../state/pages/key-list.ts";
import { KEY_STATES } from "../../../state/pages/key-states.ts";
import type { Frame } from "../../look/frame.ts";
import { Legend, keyWords } from "../../look/partition-state.tsx";
import { Section } from "../../look/section.tsx";
import { num } from "../../look/text.ts";
import type { KeyedKeys } from "./keyed.ts";
import type { PipelineData } from "./read.ts";
import { StepChoice } from "./step-choice.tsx";
import { Density } from "./key-density.tsx";
import { KeyForm } from "./key-table.tsx";

export function KeyedSection({
  data,
  keyed,
  list,
  frame,
  isOnward,
}: {
  readonly data: PipelineData;
  readonly keyed: KeyedKeys;
  readonly list: KeyPage;
  readonly frame: Frame;
  /** Whether the list is a later page of it. */
  readonly isOnward: boolean;
}) {
  const { name, step, total } = data;
  const { counts, bins, state, begins, isCounted } = keyed;
  const here = (more: Readonly<Record<string, string | undefined>>) =>
    hrefWith(pipelineHref(name), { step: step ?? undefined, state: state ?? "any", begins, ...more }, "#partitions");
  return (
    <Section
      id="partitions"
      title="Keys"
      note={`${isCounted ? `All ${num(total)}` : `${num(total)}, still being counted,`} in order of name.${bins.length < BINS_MIN ? "" : ` Each of ${num(bins.length)} bars is some ${num(total / bins.length)} keys; what stands up is not done.`}`}
      tools={<StepChoice data={data} here={here} />}
    >
      <Legend
        counts={counts}
        states={KEY_STATES}
        chosen={state ?? undefined}
        href={(picked) => here({ state: picked ?? "any" })}
      />
      {bins.length >= BINS_MIN && (
        <Density bins={bins} go={`${pipelineHref(name)}?state=${state ?? "any"}&from=`} total={total} />
      )}
      <form class="bar-f" role="search" action={pipelineHref(name)} aria-label="Find keys">
        {step !== null && <input type="hidden" name="step" value={step} />}
        <input
          class="in mono"
          type="search"
          name="begins"
          value={begins}
          aria-label="Find a key by how it begins"
          placeholder="Key begins with…"
          autocomplete="off"
          spellcheck={false}
        />
        <select class="sel" name="state" aria-label="State">
          <option value="any">Any state</option>
          {KEY_STATES.map((one) => (
            <option value={one} selected={one === state}>
              {keyWords(one)}
            </option>
          ))}
        </select>
        <button class="btn" type="submit">
          Find
        </button>
        <span class="note">{state === null ? "" : `${num(counts[state] ?? 0)} in all`}</span>
      </form>
      <KeyForm data={data} keyed={keyed} list={list} frame={frame} here={here} isOnward={isOnward} />
    </Section>
  );
}

/** Fewer bars show nothing that the list doesn't. */
const BINS_MIN = 4;
