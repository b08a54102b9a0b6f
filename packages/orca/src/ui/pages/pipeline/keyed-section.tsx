/** The keys of a pipeline: a strip over all of them, and a list of those that one looks for. */
import { hrefWith, pipelineHref, runHref } from "../../look/addresses.ts";
import type { KeyPage } from "../../../state/pages/key-list.ts";
import type { KeyRow } from "../../../state/pages/key-facts.ts";
import { KEY_STATES, totalOf } from "../../../state/pages/key-states.ts";
import { Bins } from "../../drawings/bins.tsx";
import type { Part } from "../../drawings/share.tsx";
import type { Frame } from "../../look/frame.ts";
import { Name } from "../../look/name.tsx";
import { KeyMark, Legend, countWords, keyWords, shownState } from "../../look/partition-state.tsx";
import { Section } from "../../look/section.tsx";
import { num, plural } from "../../look/text.ts";
import { Time } from "../../look/time.tsx";
import type { KeyBin, KeyedKeys } from "./keyed.ts";
import type { PipelineData } from "./read.ts";
import { StepChoice } from "./step-choice.tsx";

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
/** So much of a key tells where one is. */
const HINT = 8;
const TICKS = 8;

function Density({
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

function KeyForm({
  data: { name },
  keyed: { state, counts },
  list: { keys, after },
  frame,
  here,
  isOnward,
}: {
  readonly data: PipelineData;
  readonly keyed: KeyedKeys;
  readonly list: KeyPage;
  readonly frame: Frame;
  readonly here: (more: Readonly<Record<string, string | undefined>>) => string;
  readonly isOnward: boolean;
}) {
  const mayAct = frame.mayAct && keys.length > 0;
  const canTakeAll = mayAct && state !== null && state !== "running" && state !== "queued" && state !== "done";
  return (
    <form method="get" action={pipelineHref(name, "backfill")} data-confirm data-checks>
      <table class="tbl cards keys-t" data-list>
        <thead>
          <tr>
            {mayAct && (
              <th scope="col" class="ck">
                <input type="checkbox" aria-label="Select all on this page" data-check-all hidden />
              </th>
            )}
            <th scope="col" class="k-key">
              Key
            </th>
            <th scope="col" class="k-st">
              State
            </th>
            <th scope="col">Why</th>
            <th scope="col" class="n k-n">
              Attempts
            </th>
            <th scope="col" class="k-n">
              Run
            </th>
            <th scope="col" class="n k-n">
              Ended
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((row) => (
            <KeyLine row={row} frame={frame} mayAct={mayAct} />
          ))}
        </tbody>
      </table>
      {keys.length === 0 && (
        <p class="note">{after === null ? "No key is so." : "None of those looked through is so: there are more."}</p>
      )}
      <p class="pager">
        <span>{keys.length === 0 ? "" : `${num(keys.length)}${isOnward ? " more" : ""}, by name`}</span>
        {isOnward && (
          <a class="btn bare" href={here({})}>
            From the first
          </a>
        )}
        {after !== null && (
          <a class="btn" href={here({ after })}>
            Next
          </a>
        )}
      </p>
      {mayAct && (
        <div class="act">
          <b data-check-n>Those that are checked</b>
          {canTakeAll && (
            <a class="btn bare" href={hrefWith(pipelineHref(name, "backfill"), { state })} data-confirm>
              Backfill all {num(counts[state] ?? 0)} {keyWords(state).toLowerCase()}
            </a>
          )}
          <span class="grow" />
          <button class="btn pri" type="submit" data-check-backfill>
            Backfill
          </button>
          <button class="btn" type="submit" name="rerun" value="1" data-check-rerun>
            Rerun
          </button>
          <span class="cli">
            <span>Same as</span> <code data-check-cli={name}>orca backfill {name} …</code>
          </span>
        </div>
      )}
    </form>
  );
}

function KeyLine({ row, frame, mayAct }: { readonly row: KeyRow; readonly frame: Frame; readonly mayAct: boolean }) {
  const { key, state, run, step, error, attempts, at } = row;
  const why =
    state === "stale"
      ? `${step ?? "its steps"} changed since`
      : [step, error].filter((part) => part !== null).join(": ");
  return (
    <tr>
      {mayAct && (
        <td class="ck a-ck">
          <input type="checkbox" name="key" value={key} aria-label={`Select ${key}`} />
        </td>
      )}
      <th scope="row" class="mono a-ky">
        {run === null ? (
          <Name text={key} tail={12} />
        ) : (
          <a href={runHref(run)}>
            <Name text={key} tail={12} />
          </a>
        )}
      </th>
      <td class="a-st">
        <KeyMark state={state} />
      </td>
      <td class="a-wy">{why}</td>
      <td class="n gone">{attempts}</td>
      <td class="a-rn" data-l="Run">
        {run !== null && <a href={runHref(run)}>{run}</a>}
      </td>
      <td class="n a-en">{at !== null && <Time at={new Date(at)} now={frame.now} />}</td>
    </tr>
  );
}
